import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LocalConfig } from '@errand/host';
import { exampleServer } from '@errand/host/testing';
import { beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { vaultLaunchFiles } from './vault-launch-files.ts';

let vault = '';
let outside = '';

beforeEach(async () => {
  const folder = await temporaryFolder();
  [vault, outside] = [join(folder.path, 'vault'), join(folder.path, 'outside')];
  for (const one of [join(vault, 'lib'), outside]) mkdirSync(one, { recursive: true });
  for (const name of ['s.sh', 'lib/s.sh', 'lib.py', 'notes.db', 'settings.json', 'two words.js']) {
    writeFileSync(join(vault, name), name);
  }
  for (const name of ['tool', 'x.js']) writeFileSync(join(outside, name), '');
  symlinkSync(join(outside, 'tool'), join(vault, 'link'));
  symlinkSync(join(vault, 's.sh'), join(outside, 'back'));
  symlinkSync(join(vault, 'lib'), join(outside, 'back folder'));
  vi.stubEnv('HOME', folder.path);
  return () => {
    vi.unstubAllEnvs();
    return folder[Symbol.asyncDispose]();
  };
});

const launchFiles = () =>
  vaultLaunchFiles({
    vaultFolder: vault,
    neutralFolder: join(outside, 'a/empty'),
    env: { PWD: vault },
  });
const filesOf = (localConfig: LocalConfig) => launchFiles().of({ ...exampleServer, localConfig });
const pathsOf = (localConfig: LocalConfig) => filesOf(localConfig).map(({ path }) => path);

test.each<readonly [string, LocalConfig, readonly string[]]>([
  ['a command', { command: './s.sh' }, ['s.sh']],
  ['a command in its folder', { command: './s.sh', cwd: 'lib' }, ['lib', 'lib.py', 'lib/s.sh']],
  ['arguments', { command: 'x', args: ['./s.sh', '-r=./lib/s.sh'] }, ['s.sh', 'lib/s.sh']],
  ['a bare word where it runs', { command: 'x', args: ['s.sh'], cwd: '.' }, ['.', 's.sh']],
  ['a command line', { command: 'sh', args: ['-c', 'a; sh "./two words.js"'] }, ['two words.js']],
  ['a configuration', { command: 'x', args: ['--config', './settings.json'] }, ['settings.json']],
  ['a variable', { command: 'x', env: { NODE_OPTIONS: '--require ./s.sh' } }, ['s.sh']],
  ['a reference', { command: 'x', args: [`\${env:PWD}/s.sh`] }, ['s.sh']],
  ['a name without its ending', { command: 'x', args: ['-r', './two words'] }, ['two words.js']],
  ['a name whose file has another', { command: 'x', args: ['./settings'] }, ['settings.json']],
  ['a folder and the file for it', { command: 'x', args: ['./lib'] }, ['lib', 'lib.py']],
  [
    'a variable with a folder',
    { command: 'x', env: { P: `\${env:PWD}/lib:/x` } },
    ['lib', 'lib.py'],
  ],
  ['a path from home', { command: 'sh', args: ['-c', 'sh ~/vault/s.sh'] }, ['s.sh']],
  [
    'a path out of the vault',
    { command: '../outside/x', args: ['../none'] },
    ['../outside/x.js', '../none'],
  ],
  [
    'a variable in the empty folder',
    { command: 'x', env: { P: '../../../vault/s.sh' } },
    ['../../../vault/s.sh', 's.sh'],
  ],
  ['what is not there', { command: './no', args: ['./lib/*', './a\0b'] }, ['no', 'lib/*', 'a\0b']],
])('finds the files of the vault behind %s', (_what, localConfig, expected) => {
  expect(pathsOf(localConfig)).toEqual(expected);
});

test('finds what is named by its full path, by a URL, and by a link from elsewhere', () => {
  expect(pathsOf({ command: join(vault, 's.sh') })).toEqual(['s.sh']);
  const url = pathToFileURL(join(vault, 's.sh')).href;
  expect(pathsOf({ command: 'node', args: ['--import', url] })).toEqual(['s.sh']);
  expect(pathsOf({ command: join(outside, 'back') })).toEqual(['s.sh']);
  expect(pathsOf({ command: 'x', cwd: join(outside, 'back folder') })).toEqual(['lib']);
});

test.each<readonly [string, LocalConfig]>([
  ['a bare word in an empty folder', { command: 'x', args: ['s.sh'] }],
  ['a folder elsewhere', { command: 'x', args: ['/opt', 'sub'], cwd: '/opt/none' }],
  ['a program on the PATH', { command: 'sh' }],
])('leaves out %s', (_what, localConfig) => {
  expect(pathsOf(localConfig)).toEqual([]);
});

test('knows a file by its content, a link by where it leads, and a folder by being one', () => {
  const [before] = filesOf({ command: './s.sh' });
  expect(before?.identity).toMatch(/^[0-9a-f]{64}$/);
  writeFileSync(join(vault, 's.sh'), 'other');
  expect(filesOf({ command: './s.sh' })).not.toEqual([before]);
  expect(filesOf({ command: './link' })).toEqual([
    { path: 'link', identity: `link to ${join(outside, 'tool')}` },
  ]);
  expect(filesOf({ command: 'x', cwd: 'lib' })).toContainEqual({ path: 'lib', identity: 'folder' });
  expect(filesOf({ command: './none' })).toEqual([{ path: 'none', identity: 'missing' }]);
});

test('does not check databases and logs, whether they are there or not', () => {
  const args = ['--db', './notes.db', '--log=./new.LOG'];
  const expected = ['notes.db', 'new.LOG'].map((path) => ({ path, identity: 'unchecked' }));
  expect(filesOf({ command: 'x', args })).toEqual(expected);
});

test('reads neither a pipe nor a file of any size', () => {
  execFileSync('mkfifo', [join(vault, 'pipe')]);
  writeFileSync(join(vault, 'huge'), '');
  truncateSync(join(vault, 'huge'), 256 * 1024 * 1024 + 1);
  expect(filesOf({ command: './pipe' })).toEqual([{ path: 'pipe', identity: 'unchecked' }]);
  expect(filesOf({ command: './huge' })).toEqual([{ path: 'huge', identity: 'unchecked' }]);
});

test('finds what a container or a sandbox is given of the vault', () => {
  const mounts = ['lib', 's.sh', '/opt'].map((source) => ({ source, target: '/x' }));
  const dockerConfig = { image: 'x', containerName: 'xx', mounts };
  const localConfig = { command: './settings.json' };
  const server = { ...exampleServer, localConfig, dockerConfig };
  const found = launchFiles().of({ ...server, deploymentType: 'managed' });
  expect(found.map(({ path }) => path)).toEqual(['lib', 'lib.py', 's.sh']);
  expect(launchFiles().of({ ...server, deploymentType: 'external' })).toEqual([]);
  expect(pathsOf({ command: 'x', sandbox: { kind: 'bwrap', mounts } })).toEqual(
    found.map(({ path }) => path),
  );
});
