import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryName } from '@errand/files';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openNoteFolder } from './file-note-store.ts';

const addLine = (text: string) => [{ range: [text.length, text.length] as const, text: 'more\n' }];

test('an edit keeps byte order mark, line ends and permissions', async () => {
  await using world = await openFixture('\ufeffone\r\n');
  await chmod(world.file, 0o640);
  expect(await world.notes.edit('Note.md', addLine)).toBe(true);
  expect(await readFile(world.file, 'utf8')).toBe('\ufeffone\r\nmore\n');
  expect((await stat(world.file)).mode & 0o777).toBe(0o640);
});

test('without edits nothing is written', async () => {
  await using world = await openFixture('one\n');
  const before = await stat(world.file);
  expect(await world.notes.edit('Note.md', () => [])).toBe(false);
  expect((await stat(world.file)).mtimeMs).toBe(before.mtimeMs);
});

test('a symbolic link stays one, and its target is edited', async () => {
  await using world = await openFixture('one\n');
  await symlink('Note.md', join(world.vault, 'Link.md'));
  await world.notes.edit('Link.md', addLine);
  expect(await readFile(world.file, 'utf8')).toBe('one\nmore\n');
  expect((await stat(join(world.vault, 'Link.md'))).isFile()).toBe(true);
  expect(await readdir(world.vault)).toEqual(['Link.md', 'Note.md']);
});

test('text that another program writes meanwhile is not lost', async () => {
  await using world = await openFixture('one\n');
  let asked = 0;
  await world.notes.edit('Note.md', (text) => {
    asked += 1;
    if (asked === 1) writeFileSync(world.file, 'two\n');
    return addLine(text);
  });
  expect(asked).toBe(2);
  expect(await readFile(world.file, 'utf8')).toBe('two\nmore\n');
});

test('a note that never comes to rest is left alone', async () => {
  await using world = await openFixture('0');
  let count = 0;
  const edit = world.notes.edit('Note.md', (text) => {
    count += 1;
    writeFileSync(world.file, String(count));
    return addLine(text);
  });
  await expect(edit).rejects.toMatchObject({ code: 'note_changed' });
  expect(await readFile(world.file, 'utf8')).toBe(String(count));
  expect(await readdir(world.vault)).toEqual(['Note.md']);
});

test('a file that is not UTF-8 is refused and stays as it is', async () => {
  await using world = await openFixture('');
  const bytes = Buffer.from([0x63, 0x61, 0x66, 0xe9]);
  await writeFile(world.file, bytes);
  await expect(world.notes.edit('Note.md', addLine)).rejects.toMatchObject({
    code: 'note_unreadable',
    message: 'Note.md is not UTF-8 text. Save it as UTF-8 in your editor, then try again.',
  });
  expect(await readFile(world.file)).toEqual(bytes);
});

test('what a killed writer left behind is removed by the next edit', async () => {
  await using world = await openFixture('one\n');
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  const left = temporaryName().replace(`-${process.pid}-`, `-${pid}-`);
  await writeFile(join(world.vault, left), 'half');
  await world.notes.edit('Note.md', () => []);
  expect(await readdir(world.vault)).toEqual(['Note.md']);
});

test.for(['../Other.md', '/etc/hostname', 'Folder/../../Other.md'])(
  'a note outside the vault is neither read nor written: %s',
  async (path) => {
    await using world = await openFixture('one\n');
    await writeFile(join(world.vault, '../Other.md'), 'secret');
    const refusal = {
      code: 'note_unreadable',
      message: expect.stringContaining('not in the vault'),
    };
    await expect(world.notes.read(path)).rejects.toMatchObject(refusal);
    await expect(world.notes.ensureWritable(path)).rejects.toMatchObject(refusal);
    await expect(world.notes.edit(path, addLine)).rejects.toMatchObject(refusal);
  },
);

test('a note whose name begins with dots is a note', async () => {
  await using world = await openFixture('one\n');
  await writeFile(join(world.vault, '..odd.md'), 'odd');
  expect(await world.notes.read('..odd.md')).toBe('odd');
});

test('a name as long as the file system takes is no obstacle', async () => {
  await using world = await openFixture('one\n');
  const name = `${'n'.repeat(252)}.md`;
  await writeFile(join(world.vault, name), 'one\n');
  expect(await world.notes.edit(name, addLine)).toBe(true);
});

test('a note that is marked read-only is refused before anything is called, and not replaced', async () => {
  await using world = await openFixture('one\n');
  await chmod(world.file, 0o444);
  const refusal = { code: 'note_unreadable', message: expect.stringContaining('is read-only') };
  await expect(world.notes.ensureWritable('Note.md')).rejects.toMatchObject(refusal);
  await expect(world.notes.edit('Note.md', addLine)).rejects.toMatchObject(refusal);
  expect(await readFile(world.file, 'utf8')).toBe('one\n');
});

test('where no lock can be kept, that is said before anything is called', async () => {
  await using world = await openFixture('one\n');
  await writeFile(join(world.vault, 'file'), '');
  const notes = openNoteFolder(world.vault, join(world.vault, 'file/locks'));
  const refusal = { code: 'note_unreadable', message: expect.stringContaining('file/locks') };
  await expect(notes.ensureWritable('Note.md')).rejects.toMatchObject(refusal);
  await expect(notes.edit('Note.md', addLine)).rejects.toMatchObject(refusal);
});

test('several processes that edit one note at once lose nothing of each other', async () => {
  await using world = await openFixture('');
  const program = `
    const { openNoteFolder } = await import(${JSON.stringify(import.meta.resolve('./file-note-store.ts'))});
    const notes = openNoteFolder(${JSON.stringify(world.vault)}, ${JSON.stringify(world.locks)});
    for (let n = 0; n < 20; n++) {
      await notes.edit('Note.md', (text) => [{ range: [text.length, text.length], text: process.argv[1] + n + '\\n' }]);
    }`;
  const run = (name: string) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, name]);
  await Promise.all(['a', 'b', 'c'].map(run));
  const lines = (await readFile(world.file, 'utf8')).trimEnd().split('\n');
  expect(lines).toHaveLength(60);
  expect(new Set(lines).size).toBe(60);
}, 60_000);

test('two ways to one note are one note', async () => {
  await using world = await openFixture('');
  await symlink('vault', join(world.vault, '../linked'));
  const linked = openNoteFolder(join(world.vault, '../linked'), world.locks);
  const held: string[] = [];
  await world.notes.edit('Note.md', (text) => {
    held.push(...readdirSync(world.locks));
    return addLine(text);
  });
  await linked.edit('Note.md', (text) => {
    held.push(...readdirSync(world.locks));
    return addLine(text);
  });
  expect(new Set(held).size).toBe(1);
});

async function openFixture(text: string) {
  const folder = await temporaryFolder();
  const vault = join(folder.path, 'vault');
  const locks = join(folder.path, 'locks');
  const file = join(vault, 'Note.md');
  await mkdir(vault);
  await writeFile(file, text);
  return {
    vault,
    locks,
    file,
    notes: openNoteFolder(vault, locks),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
