import type { ServerConfig } from '@errand/host';
import { localServer } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { resolveProgram } from './own-programs.ts';

const started = (localConfig: NonNullable<ServerConfig['localConfig']>) =>
  resolveProgram({ ...localServer('vault'), localConfig }).localConfig;

test('a server of ours is started from where it was installed, and in a sandbox that shows it', () => {
  const entry = { command: 'errand-vault', args: ['--vault', '.'] };
  expect(started(entry)).toEqual({
    command: process.execPath,
    args: [expect.stringMatching(/vault\/bin\/errand-vault\.cjs$/), '--vault', '.'],
  });
  const sandbox = { kind: 'bwrap', mounts: [{ source: '.' }] } as const;
  const { args, ...inside } = started({ ...entry, sandbox }) ?? {};
  const [, folder] = /^(.+)\/dist\/main\.js$/.exec(args?.[0] ?? '') ?? [];
  expect(folder).toBeDefined();
  expect(inside).toEqual({
    command: process.execPath,
    sandbox: { kind: 'bwrap', mounts: [{ source: '.' }, { source: folder }] },
  });
  const other = { command: 'npx', args: ['x'] };
  expect(started(other)).toBe(other);
});
