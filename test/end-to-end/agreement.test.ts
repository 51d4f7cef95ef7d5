import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LocalConfig } from '@errand/host';
import { expect, test } from 'vitest';
import { patient, TestVault } from './errand-process.ts';

const call = ['call', 'fix', 'echo', 'text=hello'];

test(
  'ignores a package or .npmrc in the vault when npx runs an approved package',
  patient,
  async () => {
    using vault = strangersVault({ command: 'npx', args: ['-y', 'some-server', '.'] });
    await vault.errand('trust', '--yes');
    // Nothing is fetched here; what npx finds in the vault would run at once.
    write(join(vault.home, '.npmrc'), 'offline=true\n');
    program(vault.path('node_modules/.bin/some-server'), vault);
    write(
      vault.path('node_modules/some-server/package.json'),
      '{"name":"some-server","version":"1.0.0","bin":"x"}',
    );
    program(vault.path('node_modules/some-server/x'), vault);
    write(vault.path('.npmrc'), 'script-shell=./evil\n');
    program(vault.path('evil'), vault);
    expect((await vault.errand(...call)).code).not.toBe(0);
    expect(hasRun(vault)).toBe(false);
  },
);

test(
  'asks again about a script of the vault that changed after the approval',
  patient,
  async () => {
    using vault = strangersVault({ command: './s.sh' });
    script(vault, './s.sh');
    await vault.errand('trust', '--yes');
    expect(await vault.errand(...call)).toMatchObject({ code: 0, stdout: 'hello\n' });
    program(vault.path('s.sh'), vault);
    const refused = await vault.errand(...call);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toBe(
      'Server "fix" runs s.sh of this vault, which was changed since somebody on this machine agreed to it. Look at it and agree with: errand trust\n',
    );
    expect(hasRun(vault)).toBe(false);
    expect((await vault.json('trust', '--list')).json).toMatchObject({
      servers: [{ verdict: 'changed' }],
    });
  },
);

test.each<readonly [string, LocalConfig]>([
  ['an argument', { command: 'sh', args: ['./lib/s.sh'] }],
  ['an argument in the folder it runs in', { command: 'sh', args: ['s.sh'], cwd: 'lib' }],
  ['the value of an option', { command: 'sh', args: ['-c', 'exec sh "$0"', '--file=./lib/s.sh'] }],
  [
    'a short option',
    { command: 'sh', args: ['-c', `exec sh "\${0#-f}"`, `-f\${env:VAULT}/lib/s.sh`] },
  ],
  ['a command line', { command: 'sh', args: ['-c', 'sh lib/s.sh'], cwd: '.' }],
  [
    'a variable',
    { command: 'bash', args: ['-c', 'true'], cwd: '.', env: { BASH_ENV: 'lib/s.sh' } },
  ],
  ['a link', { command: './link' }],
  ['an argument without its ending', { command: 'sh', args: ['-c', '. "$0.sh"', './lib/s'] }],
  [
    'an argument that looks like a note',
    { command: 'sh', args: ['-c', 'exec sh "$1"', './lib', './lib/note.md'] },
  ],
  ['the folder above the vault', { command: '../tool.sh' }],
])('a changed file behind %s is not run', patient, async (_what, localConfig) => {
  using vault = strangersVault(localConfig);
  vault.env.VAULT = vault.folder;
  const scripts = ['lib/s.sh', 'lib/note.md', '../tool.sh'];
  for (const name of scripts) script(vault, name);
  symlinkSync(vault.path('lib/s.sh'), vault.path('link'));
  await vault.errand('trust', '--yes');
  for (const name of scripts) program(vault.path(name), vault);
  expect(await vault.errand(...call)).toMatchObject({ code: 2, stdout: '' });
  expect(hasRun(vault)).toBe(false);
});

test.each([
  ['another that Node takes for it', 'main.js.js'],
  ['a folder', 'main.js/index.js'],
])('asks again about a script that was replaced by %s', patient, async (_, name) => {
  using vault = strangersVault({
    command: process.execPath,
    args: ['--require', './ok.js', './main.js'],
  });
  for (const script of ['ok.js', 'main.js']) write(vault.path(script), '');
  await vault.errand('trust', '--yes');
  rmSync(vault.path('main.js'));
  const mark = JSON.stringify(join(vault.home, 'has-run'));
  write(vault.path(name), `require('node:fs').writeFileSync(${mark}, '');`);
  const { code, stderr } = await vault.errand(...call);
  expect(stderr).toMatch(/^Server "fix" runs main\.js\S* of this vault, which was \w+ since/);
  expect(code).toBe(2);
  expect(hasRun(vault)).toBe(false);
});

test.each<readonly [string, LocalConfig]>([
  ['npm', { command: 'npm', args: ['--prefix', './tools', 'run', 'mcp'] }],
  ['make', { command: 'make', args: ['-C', './tools'] }],
  ['a variable', { command: 'node', env: { NODE_PATH: `\${env:PWD}/tools` } }],
  ['a full path to run in', { command: 'npm', cwd: `\${env:PWD}/tools` }],
])('the question names the folder of the vault behind %s', patient, async (_what, config) => {
  using vault = strangersVault(config);
  mkdirSync(vault.path('tools'));
  vault.env.PWD = vault.folder;
  expect((await vault.errand('trust', '--yes')).stdout).toContain(
    'your approval does not cover: what lies in the folder tools of this vault',
  );
});

test('a folder to run in that begins with "~" is refused', patient, async () => {
  using vault = strangersVault({ command: './s.sh', cwd: '~/tools' });
  program(vault.path('~/tools/s.sh'), vault);
  vault.env.ERRAND_TRUST = '1';
  const { code, stderr } = await vault.errand(...call);
  expect(code).not.toBe(0);
  expect(stderr).toContain('"~" is not expanded');
  expect(hasRun(vault)).toBe(false);
});

test(
  'a program is not looked up in the vault, nor where the PATH is relative',
  patient,
  async () => {
    using vault = strangersVault({ command: 'some-tool' });
    program(vault.path('some-tool'), vault);
    program(vault.path('bin/some-tool'), vault);
    symlinkSync(vault.path('bin'), join(vault.home, 'elsewhere'));
    vault.env.PATH = `:.:bin:${vault.path('bin')}:${join(vault.home, 'elsewhere')}:${process.env.PATH}`;
    await vault.errand('trust', '--yes');
    const { code, stderr } = await vault.errand(...call);
    expect(code).toBe(1);
    expect(stderr).toContain('there is no program "some-tool" on the PATH');
    expect(hasRun(vault)).toBe(false);
  },
);

test(
  "a program off the PATH is found in a user's own folders, and its path is shown",
  patient,
  async () => {
    using vault = strangersVault({ command: 'some-tool' });
    const tool = join(vault.home, '.nvm/versions/node/v24.1.0/bin/some-tool');
    program(tool, vault);
    await vault.errand('trust', '--yes');
    expect((await vault.errand('servers', 'test', 'fix')).stderr).toContain(`Starting: ${tool}`);
    expect(hasRun(vault)).toBe(true);
  },
);

test(
  'a server runs in an empty folder, with its relative arguments in the vault',
  patient,
  async () => {
    using vault = new TestVault({});
    const { command = '', args = [] } = vault.scripted().localConfig ?? {};
    const own = { ...vault.scripted(), localConfig: { command, args: [...args, '.', './Notes'] } };
    vault.add(own, {
      ...own,
      id: 'b',
      name: 'here',
      localConfig: { ...own.localConfig, cwd: '.' },
    });
    await vault.errand('trust', '--yes');
    const seen = async (server: string) =>
      JSON.parse((await vault.errand('call', server, 'environment')).stdout) as {
        readonly cwd: string;
        readonly args: readonly string[];
      };
    const neutral = await seen('fix');
    expect(neutral.cwd).toBe(join(vault.home, 'state/errand/empty'));
    expect(neutral.args.slice(-2)).toEqual([vault.folder, vault.path('Notes')]);
    const here = await seen('here');
    expect(here.cwd).toBe(vault.folder);
    expect(here.args.slice(-2)).toEqual(['.', './Notes']);
  },
);

/** A vault with one server that nobody has agreed to. */
function strangersVault(localConfig: LocalConfig): TestVault {
  const vault = new TestVault({});
  mkdirSync(vault.home, { recursive: true });
  return vault.add({ ...vault.scripted(), localConfig });
}

/** A script in the vault that becomes the scriptable server. */
function script(vault: TestVault, name: string): void {
  const { command = '', args = [] } = vault.scripted().localConfig ?? {};
  const words = [command, ...args].map((word) => `'${word}'`).join(' ');
  write(vault.path(name), `#!/bin/sh\nexec ${words}\n`);
  chmodSync(vault.path(name), 0o755);
}

/** What a stranger puts in the place of a program. */
function program(path: string, vault: TestVault): void {
  rmSync(path, { force: true });
  write(path, `#!/bin/sh\ntouch ${join(vault.home, 'has-run')}\n`);
  chmodSync(path, 0o755);
}

function hasRun(vault: TestVault): boolean {
  return existsSync(join(vault.home, 'has-run'));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
