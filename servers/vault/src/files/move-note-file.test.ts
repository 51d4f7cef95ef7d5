import { once } from 'node:events';
import { linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { runScript } from '../testing/run-script.ts';
import { vaultFolder } from '../testing/vault-folder.ts';
import { moveNoteFile, trashNoteFile } from './move-note-file.ts';
import { openVault } from './vault.ts';
import { vaultLock } from './vault-lock.ts';

const here = import.meta.dirname;
const lock = vaultLock(undefined);

test('moves a note, making folders, and leaves nothing at the old place', async () => {
  const folder = vaultFolder({ 'a/n.md': 'text' });
  expect(await moveNoteFile(openVault(folder), lock, ['a', 'n.md'], ['b', 'c', 'm.md'])).toEqual({
    from: ['a', 'n.md'],
    to: ['b', 'c', 'm.md'],
  });
  expect(readFileSync(join(folder, 'b/c/m.md'), 'utf8')).toBe('text');
  expect(readdirSync(join(folder, 'a'))).toEqual([]);
});

test('never overwrites, whatever the spelling of the destination', async () => {
  const folder = vaultFolder({
    'n.md': 'source',
    'taken.md': 'taken',
    ['Café.md'.normalize('NFD')]: 'accented',
    'dir.md/x.md': '',
  });
  const vault = openVault(folder);
  for (const target of ['taken.md', 'Café.md'.normalize('NFC'), 'dir.md', 'n.md']) {
    await expect(moveNoteFile(vault, lock, ['n.md'], [target])).rejects.toMatchObject({
      code: 'conflict',
    });
  }
  expect(readFileSync(join(folder, 'n.md'), 'utf8')).toBe('source');
  expect(readFileSync(join(folder, 'taken.md'), 'utf8')).toBe('taken');
});

test('does not take a second hard link for another spelling of the same note', async () => {
  const folder = vaultFolder({ 'n.md': 'text' });
  linkSync(join(folder, 'n.md'), join(folder, 'N.md'));
  await expect(moveNoteFile(openVault(folder), lock, ['n.md'], ['N.md'])).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(readdirSync(folder)).toEqual(['N.md', 'n.md']);
});

test('distinguishes a missing note from a missing folder', async () => {
  const vault = openVault(vaultFolder());
  await expect(moveNoteFile(vault, lock, ['n.md'], ['m.md'])).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(moveNoteFile(vault, lock, ['d', 'n.md'], ['m.md'])).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('folder d'),
  });
});

test('gives a name to exactly one of many movers, and loses no note', async () => {
  const notes = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`n${index}.md`, `text ${index}`]),
  );
  const folder = vaultFolder(notes);
  const movers = [0, 1].map((half) =>
    runScript(here, moveAll, { VAULT: folder, HALF: String(half) }),
  );
  const outputs = await Promise.all(movers.map(readAll));
  const moved = outputs.join('').trim().split('\n').filter(Boolean);
  expect(moved).toHaveLength(20);
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(texts.sort()).toEqual(Object.values(notes).sort());
}, 60_000);

/** Both processes move their own twenty notes to the same twenty names, without a common lock. */
const moveAll = `
  const { moveNoteFile } = await import('./move-note-file.ts');
  const { openVault } = await import('./vault.ts');
  const { vaultLock } = await import('./vault-lock.ts');
  const vault = openVault(process.env.VAULT);
  const lock = vaultLock(undefined);
  for (let index = 0; index < 20; index++) {
    const source = 'n' + (Number(process.env.HALF) * 20 + index) + '.md';
    try {
      await moveNoteFile(vault, lock, [source], ['goal-' + index + '.md']);
      console.log(source);
    } catch (error) {
      if (error.code !== 'conflict') throw error;
    }
  }
`;

test('loses no version that another program saves at the old place during the move', async () => {
  const folder = vaultFolder();
  const saver = runScript(here, saveForever, { NOTE: join(folder, 'n.md') });
  await once(saver.stdout ?? saver, 'data');
  const vault = openVault(folder);
  let highest = 0;
  for (let round = 0; round < 300; round++) {
    const name = `moved-${round}.md`;
    try {
      await moveNoteFile(vault, lock, ['n.md'], [name]);
    } catch (error) {
      if ((error as { code?: string }).code !== 'not_found') throw error;
      continue;
    }
    const version = Number(readFileSync(join(folder, name), 'utf8'));
    expect(version).toBeGreaterThan(highest);
    highest = version;
  }
  saver.kill('SIGKILL');
  await once(saver, 'exit');
  const versions = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => Number(readFileSync(join(folder, name), 'utf8')));
  expect(new Set(versions).size).toBe(versions.length);
  expect(readdirSync(folder).filter((name) => name.startsWith('.errand'))).toEqual([]);
}, 60_000);

const saveForever = `
  const { existsSync, renameSync, writeFileSync } = await import('node:fs');
  const { NOTE } = process.env;
  console.log('saving');
  for (let version = 1; ; version++) {
    writeFileSync(NOTE + '.part', String(version));
    renameSync(NOTE + '.part', NOTE);
  }
`;

test('puts deleted notes into the trash under free names', async () => {
  const folder = vaultFolder();
  const vault = openVault(folder);
  const places: string[] = [];
  for (const text of ['one', 'two', 'three']) {
    mkdirSync(join(folder, 'a'), { recursive: true });
    writeFileSync(join(folder, 'a/n.md'), text);
    places.push((await trashNoteFile(vault, lock, ['a', 'n.md'])).to.join('/'));
  }
  expect(places).toEqual(['.trash/a/n.md', '.trash/a/n 2.md', '.trash/a/n 3.md']);
  expect(readFileSync(join(folder, '.trash/a/n 2.md'), 'utf8')).toBe('two');
  expect(readdirSync(join(dirname(folder)))).toEqual(['vault']);
});

async function readAll(child: ReturnType<typeof runScript>): Promise<string> {
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  return text;
}
