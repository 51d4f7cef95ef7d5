import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { watchNotes } from './watch-notes.ts';

test('reports all notes of a vault, and skips hidden folders and packages', async () => {
  await using vault = await openVault([
    'A.md',
    'Projects/B.md',
    'Projects/Deep/C.MD',
    'picture.png',
    '.git/D.md',
    '.obsidian/E.md',
    'node_modules/F.md',
  ]);
  expect(await vault.next()).toEqual(['A.md', 'Projects/B.md', 'Projects/Deep/C.MD']);
});

test('reports only notes that change, appear, move and disappear', async () => {
  await using vault = await openVault(['A.md', 'Folder/B.md', '.git/HEAD']);
  await vault.next();
  await vault.write('.git/HEAD', 'more');
  await vault.write('picture.png', 'more');
  await vault.write('Folder/B.md', 'more');
  expect(await vault.next()).toEqual(['Folder/B.md']);
  await vault.write('New/Inner/C.md');
  expect(await vault.until('New/Inner/C.md')).toContain('New/Inner/C.md');
  // A folder that came while we watched is watched as well.
  await vault.write('New/Inner/D.md');
  expect(await vault.until('New/Inner/D.md')).toContain('New/Inner/D.md');
  await vault.rename('A.md', 'E.md');
  expect(await vault.until('E.md')).toContain('A.md');
  await vault.remove('New');
  expect(await vault.until('New/Inner/C.md')).toContain('New/Inner/C.md');
});

test('a folder that took the place of another is watched', async () => {
  await using vault = await openVault(['Folder/A.md']);
  await vault.next();
  await vault.rename('Folder', 'Old');
  await vault.write('Folder/B.md');
  expect(await vault.until('Folder/B.md')).toContain('Folder/A.md');
  await vault.write('Folder/C.md');
  expect(await vault.until('Folder/C.md')).toContain('Folder/C.md');
});

test('reports many notes in batches', async () => {
  const names = Array.from({ length: 450 }, (_, index) => `${String(index).padStart(3, '0')}.md`);
  await using vault = await openVault(names);
  const parts = [await vault.next(), await vault.next(), await vault.next()];
  expect(parts.map(({ length }) => length)).toEqual([200, 200, 50]);
  expect(parts.flat()).toEqual(names);
});

test('reports named notes first, and when they change, appear or disappear', async () => {
  await using vault = await openVault(['A.md', 'B.md', 'real.txt'], ['A.md', 'Link.md', 'C.md']);
  await symlink('real.txt', join(vault.path, 'Link.md'));
  expect(await vault.next()).toEqual(['A.md', 'Link.md', 'C.md']);
  await vault.write('B.md', 'more');
  await vault.write('real.txt', 'more');
  expect(await vault.until('Link.md')).toEqual(['Link.md']);
  await vault.write('C.md');
  expect(await vault.until('C.md')).not.toContain('B.md');
  await vault.remove('A.md');
  expect(await vault.until('A.md')).not.toContain('B.md');
});

async function openVault(files: readonly string[], named: readonly string[] = []) {
  const folder = await temporaryFolder();
  const fileOf = (path: string) => join(folder.path, path);
  const write = async (path: string, text = '') => {
    await mkdir(dirname(fileOf(path)), { recursive: true });
    await writeFile(fileOf(path), text);
  };
  await Promise.all(files.map((path) => write(path)));
  const stop = new AbortController();
  const parts = watchNotes(folder.path, named, stop.signal);
  const next = async () => (await parts.next()).value ?? [];
  return {
    path: folder.path,
    write,
    next,
    /** All that is told up to the part with this note, sorted. */
    async until(path: string) {
      const all = new Set<string>();
      while (!all.has(path)) for (const each of await next()) all.add(each);
      return [...all].sort();
    },
    rename: (from: string, to: string) => rename(fileOf(from), fileOf(to)),
    remove: (path: string) => rm(fileOf(path), { recursive: true }),
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      // A watch that was stopped ends; it does not fail.
      for await (const _ of parts);
      await folder[Symbol.asyncDispose]();
    },
  };
}
