import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryName } from '@errand/files';
import { expect, onTestFinished, test } from 'vitest';
import { vaultFolder } from '../testing/vault-folder.ts';
import { VaultError } from '../vault-error.ts';
import { changeNote, type NoteChange } from './change-note.ts';
import { moveNoteFile, trashNoteFile } from './move-note-file.ts';
import { openFolder } from './open-folder.ts';
import { readNoteFile } from './read-note-file.ts';
import { openVault, type Vault } from './vault.ts';
import { vaultLock } from './vault-lock.ts';
import { walkNotes } from './walk-notes.ts';

const lock = vaultLock(undefined);
const ways = [
  ['with folders held open', (folder: string): Vault => openVault(folder)],
  ['by paths alone', (folder: string): Vault => ({ ...openVault(folder), holdsFolders: false })],
] as const;

/** A vault beside a folder of secrets, with links into it of every kind. */
function vaultWithLinks() {
  const folder = vaultFolder({ 'real/note.md': 'inside', '.obsidian/app.md': 'settings' });
  const outside = join(dirname(folder), 'outside');
  const sibling = join(dirname(folder), 'vault-evil');
  for (const place of [outside, sibling]) {
    mkdirSync(place);
    writeFileSync(join(place, 'secret.md'), 'secret');
  }
  const links = {
    'out.md': join(outside, 'secret.md'),
    'out-dir': outside,
    'relative-out': '../outside',
    'sibling-dir': sibling,
    'through-real.md': 'real/../../outside/secret.md',
    'hidden.md': '.obsidian/app.md',
    'hidden-dir': '.obsidian',
    'in.md': 'real/note.md',
    'in-dir': 'real',
    'in-dir-absolute': join(folder, 'real'),
    'chain.md': 'in.md',
    'dangling.md': 'nowhere.md',
    'dangling-out.md': join(outside, 'new.md'),
    'loop.md': 'loop.md',
    'root-dir': '.',
    'parent-dir': '..',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
  return { folder, outside };
}

const leaving = [
  ['out.md'],
  ['out-dir', 'secret.md'],
  ['relative-out', 'secret.md'],
  ['sibling-dir', 'secret.md'],
  ['through-real.md'],
  ['hidden.md'],
  ['hidden-dir', 'app.md'],
  ['dangling.md'],
  ['dangling-out.md'],
  ['loop.md'],
  ['parent-dir', 'outside', 'secret.md'],
  ['root-dir', 'out.md'],
] as const;

for (const [way, open] of ways) {
  test.each(leaving.map((segments) => [segments.join('/'), segments] as const))(
    `neither reads, writes, moves nor deletes %s ${way}`,
    async (_, segments) => {
      const { folder, outside } = vaultWithLinks();
      const vault = open(folder);
      const denied = expect.objectContaining({ code: 'permission_denied' });
      expect(() => readNoteFile(vault, segments)).toThrow(denied);
      await expect(changeNote(vault, lock, segments, () => Buffer.from('evil'))).rejects.toEqual(
        denied,
      );
      await expect(moveNoteFile(vault, lock, segments, ['x.md'])).rejects.toEqual(denied);
      await expect(trashNoteFile(vault, lock, segments)).rejects.toEqual(denied);
      expect(readdirSync(outside)).toEqual(['secret.md']);
      expect(readFileSync(join(outside, 'secret.md'), 'utf8')).toBe('secret');
    },
  );

  test.each(['out-dir', 'relative-out', 'sibling-dir', 'parent-dir', 'hidden-dir'])(
    `makes nothing new in %s ${way}`,
    async (directory) => {
      const { folder, outside } = vaultWithLinks();
      const vault = open(folder);
      const denied = expect.objectContaining({ code: 'permission_denied' });
      const target = [directory, 'deeper', 'new.md'];
      await expect(changeNote(vault, lock, target, () => Buffer.from('x'))).rejects.toEqual(denied);
      await expect(moveNoteFile(vault, lock, ['real', 'note.md'], target)).rejects.toEqual(denied);
      expect(readdirSync(outside)).toEqual(['secret.md']);
      expect(readdirSync(dirname(folder)).sort()).toEqual(['outside', 'vault', 'vault-evil']);
    },
  );

  test.each([['in.md'], ['in-dir', 'note.md'], ['in-dir-absolute', 'note.md'], ['chain.md']])(
    `follows %s, a link that stays inside, ${way}`,
    (...segments) => {
      const note = readNoteFile(open(vaultWithLinks().folder), segments);
      expect(note.segments).toEqual(['real', 'note.md']);
      expect(note.bytes.toString()).toBe('inside');
    },
  );

  test(`walks every note once and no link ${way}`, () => {
    const paths = [...walkNotes(open(vaultWithLinks().folder), [])].map(({ path }) => path);
    expect(paths).toEqual(['real', 'real/note.md']);
  });

  test(`refuses pipes, sockets, devices and folders that are called notes ${way}`, () => {
    const folder = vaultFolder();
    const vault = open(folder);
    execFileSync('mkfifo', [join(folder, 'pipe.md')]);
    symlinkSync('/dev/zero', join(folder, 'device.md'));
    mkdirSync(join(folder, 'folder.md'));
    for (const name of ['pipe.md', 'device.md', 'folder.md']) {
      expect(() => readNoteFile(vault, [name])).toThrow(
        expect.objectContaining({ code: 'permission_denied' }),
      );
    }
  });
}

test('reads a hard link to an outside file but never changes it', async () => {
  const folder = vaultFolder();
  const outside = join(dirname(folder), 'outside.md');
  writeFileSync(outside, 'outside');
  linkSync(outside, join(folder, 'linked.md'));
  const vault = openVault(folder);
  expect(readNoteFile(vault, ['linked.md']).stats.nlink).toBe(2);
  await expect(
    changeNote(vault, lock, ['linked.md'], () => Buffer.from('evil')),
  ).rejects.toMatchObject({ code: 'permission_denied', details: { links: 2 } });
  expect(readFileSync(outside, 'utf8')).toBe('outside');
  expect(readdirSync(folder)).toEqual(['linked.md']);
});

test('stays in a held folder when a link takes its place between check and use', () => {
  const folder = vaultFolder({ 'dir/note.md': 'inside' });
  const outside = join(dirname(folder), 'outside');
  mkdirSync(outside);
  using held = openFolder(openVault(folder), ['dir']);
  renameSync(join(folder, 'dir'), join(folder, 'moved'));
  symlinkSync(outside, join(folder, 'dir'));
  writeFileSync(held.at('new.md'), 'text');
  expect(readdirSync(outside)).toEqual([]);
  expect(readFileSync(join(folder, 'moved', 'new.md'), 'utf8')).toBe('text');
});

test('is never led outside by a folder that keeps turning into a link', async () => {
  const folder = vaultFolder({ 'dir/note.md': 'inside' });
  const outside = join(dirname(folder), 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'note.md'), 'secret');
  const swapper = spawn(process.execPath, ['-e', swapForever], {
    env: { DIR: join(folder, 'dir'), OUTSIDE: outside },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void swapper.kill('SIGKILL'));
  await once(swapper.stdout, 'data');

  const vault = openVault(folder);
  const seen = { inside: 0, refused: 0 };
  for (let round = 0; round < 6000; round++) {
    try {
      expect(readNoteFile(vault, ['dir', 'note.md']).bytes.toString()).toMatch(/^inside/);
      seen.inside++;
      if (round % 10 === 0) await changeNote(vault, lock, ['dir', 'note.md'], edit(round));
    } catch (error) {
      if (!(error instanceof VaultError) && !(error instanceof Error && 'syscall' in error)) {
        throw error;
      }
      seen.refused++;
    }
  }
  expect(seen.inside).toBeGreaterThan(0);
  expect(seen.refused).toBeGreaterThan(0);
  expect(readdirSync(outside)).toEqual(['note.md']);
  expect(readFileSync(join(outside, 'note.md'), 'utf8')).toBe('secret');
}, 60_000);

/** Only what is there: making the folder anew would stand in the way of the one that swaps it. */
function edit(round: number): NoteChange {
  return (current) => {
    if (current === undefined) throw new VaultError('not_found', 'The folder is away.');
    return Buffer.from(`inside ${round}`);
  };
}

const swapForever = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const { DIR, OUTSIDE } = process.env;
  console.log('swapping');
  for (;;) {
    renameSync(DIR, DIR + '-real');
    symlinkSync(OUTSIDE, DIR);
    unlinkSync(DIR);
    renameSync(DIR + '-real', DIR);
  }
`;

test('keeps the leftovers of a killed server from locking a note', async () => {
  const folder = vaultFolder({ 'note.md': 'one' });
  const left = temporaryName();
  linkSync(join(folder, 'note.md'), join(folder, left));
  const vault = openVault(folder);
  await changeNote(vault, lock, ['note.md'], () => Buffer.from('two'));
  expect(readFileSync(join(folder, 'note.md'), 'utf8')).toBe('two');
  expect(existsSync(join(folder, left))).toBe(false);
});
