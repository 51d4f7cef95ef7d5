import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import type { LocalConfig } from '../settings.ts';
import { exampleServer } from '../testing/example-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { vaultLaunchFiles } from './vault-launch-files.ts';

let vault = '';
let outside = '';

beforeEach(async () => {
  const folder = await temporaryFolder();
  [vault, outside] = [join(folder.path, 'vault'), join(folder.path, 'outside')];
  for (const one of [join(vault, 'lib'), outside]) mkdirSync(one, { recursive: true });
  for (const name of ['s.sh', 'lib/s.sh', 'notes.db', 'settings.json', 'two words.js']) {
    writeFileSync(join(vault, name), name);
  }
  writeFileSync(join(outside, 'tool'), '');
  symlinkSync(join(outside, 'tool'), join(vault, 'link'));
  symlinkSync(join(vault, 's.sh'), join(outside, 'back'));
  return () => folder[Symbol.asyncDispose]();
});

const filesOf = (localConfig: LocalConfig) =>
  vaultLaunchFiles(vault, { PWD: vault }).of({ ...exampleServer, localConfig });
const pathsOf = (localConfig: LocalConfig) => filesOf(localConfig).map(({ path }) => path);

test.each<readonly [string, LocalConfig, readonly string[]]>([
  ['a command', { command: './s.sh' }, ['s.sh']],
  ['a command in its folder', { command: './s.sh', cwd: 'lib' }, ['lib/s.sh']],
  ['arguments', { command: 'x', args: ['./s.sh', '-r=./lib/s.sh'] }, ['s.sh', 'lib/s.sh']],
  ['a bare word where it runs', { command: 'x', args: ['s.sh'], cwd: '.' }, ['s.sh']],
  ['a command line', { command: 'sh', args: ['-c', 'a; sh "./two words.js"'] }, ['two words.js']],
  ['a configuration', { command: 'x', args: ['--config', './settings.json'] }, ['settings.json']],
  ['a variable', { command: 'x', env: { NODE_OPTIONS: '--require ./s.sh' } }, ['s.sh']],
  ['a reference', { command: 'x', args: [`\${env:PWD}/s.sh`] }, ['s.sh']],
  ['a database that is run', { command: 'python3', args: ['./notes.db'] }, ['notes.db']],
])('finds the files of the vault behind %s', (_what, localConfig, expected) => {
  expect(pathsOf(localConfig)).toEqual(expected);
});

test('finds what is named by its full path, by a URL, and by a link from elsewhere', () => {
  expect(pathsOf({ command: join(vault, 's.sh') })).toEqual(['s.sh']);
  const url = pathToFileURL(join(vault, 's.sh')).href;
  expect(pathsOf({ command: 'node', args: ['--import', url] })).toEqual(['s.sh']);
  expect(pathsOf({ command: join(outside, 'back') })).toEqual(['s.sh']);
});

test.each<readonly [string, LocalConfig]>([
  ['a bare word in an empty folder', { command: 'x', args: ['s.sh'] }],
  ['a folder to work on', { command: 'x', args: ['.', './lib'] }],
  ['a database to work on', { command: 'x', args: ['--db', './notes.db'] }],
  ['what is not there', { command: './missing', args: ['./a\0b'] }],
  ['a program on the PATH', { command: 'sh' }],
])('leaves out %s', (_what, localConfig) => {
  expect(pathsOf(localConfig)).toEqual([]);
});

test('knows a file by its content, a link by where it leads, and a folder that is run by nothing', () => {
  const [before] = filesOf({ command: './s.sh' });
  expect(before?.identity).toMatch(/^[0-9a-f]{64}$/);
  writeFileSync(join(vault, 's.sh'), 'other');
  expect(filesOf({ command: './s.sh' })).not.toEqual([before]);
  expect(filesOf({ command: './link' })).toEqual([
    { path: 'link', identity: `link to ${join(outside, 'tool')}` },
  ]);
  expect(filesOf({ command: 'node', args: ['./lib'] })).toEqual([
    { path: 'lib', identity: 'folder' },
  ]);
});

test('reads neither a pipe nor a file of any size', () => {
  execFileSync('mkfifo', [join(vault, 'pipe')]);
  writeFileSync(join(vault, 'huge'), '');
  truncateSync(join(vault, 'huge'), 256 * 1024 * 1024 + 1);
  expect(filesOf({ command: './pipe' })).toEqual([{ path: 'pipe', identity: '' }]);
  expect(filesOf({ command: './huge' })).toEqual([{ path: 'huge', identity: '' }]);
});

test('looks only at programs on this machine', () => {
  const files = vaultLaunchFiles(vault, {});
  const localConfig = { command: './s.sh' };
  expect(files.of({ ...exampleServer, deploymentType: 'managed', localConfig })).toEqual([]);
});
