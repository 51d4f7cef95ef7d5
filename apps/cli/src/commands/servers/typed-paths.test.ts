import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { storeTypedPaths } from './typed-paths.ts';

let vault = '';

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'errand-'));
  vault = join(folder, 'vault');
  mkdirSync(join(vault, 'Projects'), { recursive: true });
  writeFileSync(join(vault, 'Projects/s.sh'), '');
  return () => rmSync(folder, { recursive: true });
});

function stored(words: readonly string[], typedIn = '.', folder?: { readonly cwd: string }) {
  let output = '';
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      output += chunk;
      done();
    },
  });
  const [command = '', ...args] = words;
  const { localConfig } = storeTypedPaths({ localConfig: { command, args, ...folder } }, vault, {
    cwd: join(vault, typedIn),
    stderr: stderr as Writable & { isTTY?: boolean },
  });
  return { words: [localConfig.command, ...localConfig.args], output };
}

test('keeps arguments that mean the same from the vault', () => {
  const words = ['npx', '-y', '@scope/server', '.', './Projects', '--x=./a', 'word', '/abs'];
  expect(stored(words)).toEqual({ words, output: '' });
});

test('writes a name of something that lies there as a path, and says so', () => {
  expect(stored(['npx', 'server', 'Projects'])).toEqual({
    words: ['npx', 'server', './Projects'],
    output: 'Projects is stored as ./Projects; relative paths are those of the vault.\n',
  });
});

test('keeps the meaning of a path that was typed elsewhere', () => {
  const { words } = stored(['./s.sh', '.', '--file=s.sh', '../..'], 'Projects');
  expect(words).toEqual([
    './Projects/s.sh',
    './Projects',
    '--file=./Projects/s.sh',
    join(vault, '..'),
  ]);
});

test('keeps all arguments when the entry has its own folder', () => {
  const words = ['./s.sh', 'Projects'];
  expect(stored(words, 'Projects', { cwd: '.' })).toEqual({ words, output: '' });
});
