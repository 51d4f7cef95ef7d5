import { expect, test } from 'vitest';
import { diagnose } from './diagnose.ts';
import type { FolderFacts, MachineFacts } from './machine-facts.ts';

const machine: MachineFacts = {
  node: { version: 'v24.0.0', path: '/usr/bin/node' },
  folders: [],
  hasKeychain: true,
  engine: { status: 'silent', reason: 'No engine.' },
  hasBrowser: true,
  isUsualPortTaken: false,
  git: 'git version 2',
  badProxies: [],
  vault: {
    folder: '/notes',
    isVault: true,
    settings: '.errand/settings.json',
    problems: [],
    hookProblems: [],
    servers: [],
    missingSecrets: [],
    owner: 'nobody',
  },
};
const state: FolderFacts = {
  name: 'state',
  path: "/home/o'neil/.local/state/errand",
  status: 'ok',
};

test.each<[string, Partial<FolderFacts>, string]>([
  [
    'a folder that others own',
    { status: 'not-writable' },
    `sudo chown "$(id -un)" '/home/o'\\''neil/.local/state/errand'`,
  ],
  [
    'a folder that cannot be made in the one above',
    { status: 'not-writable', obstacle: '/' },
    `sudo install -d -m 700 -o "$(id -un)" '/home/o'\\''neil/.local/state/errand'`,
  ],
  ['a disk that is mounted read-only', { status: 'read-only' }, 'export XDG_STATE_HOME='],
])('says what to do about %s', (_, folder, remedy) => {
  const findings = diagnose({ ...machine, folders: [{ ...state, ...folder }] });
  expect(findings.filter(({ status }) => status !== 'ok')).toEqual([
    expect.objectContaining({ status: 'problem', remedy: expect.stringContaining(remedy) }),
  ]);
});

test('says that the port of the workbench is taken', () => {
  expect(diagnose({ ...machine, isUsualPortTaken: true })).toContainEqual({
    check: 'Ports',
    status: 'ok',
    message: expect.stringContaining('A program uses port 4747'),
  });
});

test('says that a sandbox is not installed', () => {
  const servers = [
    { name: 'a', deploymentType: 'local', command: 'node', lacksSandbox: true, onDesktop: '/node' },
  ] as const;
  expect(diagnose({ ...machine, vault: { ...machine.vault, servers } })).toContainEqual({
    check: 'Server a',
    status: 'problem',
    message: 'It is to run in a sandbox, and bwrap is not found.',
    remedy: expect.stringContaining('bubblewrap'),
  });
});
