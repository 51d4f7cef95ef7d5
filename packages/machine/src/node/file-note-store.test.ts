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
  await using fixture = await openFixture('\ufeffone\r\n');
  await chmod(fixture.file, 0o640);
  expect(await fixture.notes.edit('Note.md', addLine)).toBe(true);
  expect(await readFile(fixture.file, 'utf8')).toBe('\ufeffone\r\nmore\n');
  expect((await stat(fixture.file)).mode & 0o777).toBe(0o640);
});

test('without edits nothing is written', async () => {
  await using fixture = await openFixture('one\n');
  const before = await stat(fixture.file);
  expect(await fixture.notes.edit('Note.md', () => [])).toBe(false);
  expect((await stat(fixture.file)).mtimeMs).toBe(before.mtimeMs);
});

test('a symbolic link stays one, and its target is edited', async () => {
  await using fixture = await openFixture('one\n');
  await symlink('Note.md', join(fixture.vault, 'Link.md'));
  await fixture.notes.edit('Link.md', addLine);
  expect(await readFile(fixture.file, 'utf8')).toBe('one\nmore\n');
  expect((await stat(join(fixture.vault, 'Link.md'))).isFile()).toBe(true);
  expect(await readdir(fixture.vault)).toEqual(['Link.md', 'Note.md']);
});

test('text that another program writes meanwhile is not lost', async () => {
  await using fixture = await openFixture('one\n');
  let asked = 0;
  await fixture.notes.edit('Note.md', (text) => {
    asked += 1;
    if (asked === 1) writeFileSync(fixture.file, 'two\n');
    return addLine(text);
  });
  expect(asked).toBe(2);
  expect(await readFile(fixture.file, 'utf8')).toBe('two\nmore\n');
});

test('one request of a note runs at a time, also by another path, and others run beside it', async () => {
  await using fixture = await openFixture('one\n');
  await symlink('Note.md', join(fixture.vault, 'Link.md'));
  const { whileRunning } = fixture.notes;
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const order: string[] = [];
  const run = (path: string, request: string, until: Promise<void>, signal?: AbortSignal) =>
    whileRunning?.(
      path,
      request,
      async (earlier) => {
        order.push(`${request} ${earlier}`);
        await until;
      },
      signal,
    );
  const first = run('Note.md', 'a', isReleased);
  await expect.poll(() => order).toEqual(['a none']);
  await run('Note.md', 'b', Promise.resolve());
  const second = run('Link.md', 'a', Promise.resolve());
  const given = new AbortController();
  const third = run('Note.md', 'a', Promise.resolve(), given.signal);
  given.abort(new Error('enough'));
  await expect(third).rejects.toThrow('enough');
  expect(order).toEqual(['a none', 'b none']);
  release();
  await Promise.all([first, second]);
  expect(order).toEqual(['a none', 'b none', 'a ended']);
});

test('gives up on a note that never stops changing', async () => {
  await using fixture = await openFixture('0');
  let count = 0;
  const edit = fixture.notes.edit('Note.md', (text) => {
    count += 1;
    writeFileSync(fixture.file, String(count));
    return addLine(text);
  });
  await expect(edit).rejects.toMatchObject({ code: 'note_changed' });
  expect(await readFile(fixture.file, 'utf8')).toBe(String(count));
  expect(await readdir(fixture.vault)).toEqual(['Note.md']);
});

test('a file that is not UTF-8 is refused and stays as it is', async () => {
  await using fixture = await openFixture('');
  const bytes = Buffer.from([0x63, 0x61, 0x66, 0xe9]);
  await writeFile(fixture.file, bytes);
  await expect(fixture.notes.edit('Note.md', addLine)).rejects.toMatchObject({
    code: 'note_unreadable',
    message: 'Note.md is not UTF-8 text. Save it as UTF-8 in your editor, then try again.',
  });
  expect(await readFile(fixture.file)).toEqual(bytes);
});

test('what a killed writer left behind is removed by the next edit', async () => {
  await using fixture = await openFixture('one\n');
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  const left = temporaryName().replace(`-${process.pid}-`, `-${pid}-`);
  await writeFile(join(fixture.vault, left), 'half');
  await fixture.notes.edit('Note.md', () => []);
  expect(await readdir(fixture.vault)).toEqual(['Note.md']);
});

test.for(['../Other.md', '/etc/hostname', 'Folder/../../Other.md'])(
  'a note outside the vault is neither read nor written: %s',
  async (path) => {
    await using fixture = await openFixture('one\n');
    await writeFile(join(fixture.vault, '../Other.md'), 'secret');
    const refusal = {
      code: 'note_unreadable',
      message: expect.stringContaining('not in the vault'),
    };
    await expect(fixture.notes.read(path)).rejects.toMatchObject(refusal);
    await expect(fixture.notes.ensureWritable(path)).rejects.toMatchObject(refusal);
    await expect(fixture.notes.edit(path, addLine)).rejects.toMatchObject(refusal);
  },
);

test('a note whose name begins with dots is a note', async () => {
  await using fixture = await openFixture('one\n');
  await writeFile(join(fixture.vault, '..odd.md'), 'odd');
  expect(await fixture.notes.read('..odd.md')).toBe('odd');
});

test('edits a note whose name has the maximum length', async () => {
  await using fixture = await openFixture('one\n');
  const name = `${'n'.repeat(252)}.md`;
  await writeFile(join(fixture.vault, name), 'one\n');
  expect(await fixture.notes.edit(name, addLine)).toBe(true);
});

test('a note that is marked read-only is refused before anything is called, and not replaced', async () => {
  await using fixture = await openFixture('one\n');
  await chmod(fixture.file, 0o444);
  const refusal = { code: 'note_unreadable', message: expect.stringContaining('is read-only') };
  await expect(fixture.notes.ensureWritable('Note.md')).rejects.toMatchObject(refusal);
  await expect(fixture.notes.edit('Note.md', addLine)).rejects.toMatchObject(refusal);
  expect(await readFile(fixture.file, 'utf8')).toBe('one\n');
});

test('reports before any call that no lock can be taken', async () => {
  await using fixture = await openFixture('one\n');
  await writeFile(join(fixture.vault, 'file'), '');
  const notes = openNoteFolder(fixture.vault, join(fixture.vault, 'file/locks'));
  const refusal = { code: 'note_unreadable', message: expect.stringContaining('file/locks') };
  await expect(notes.ensureWritable('Note.md')).rejects.toMatchObject(refusal);
  await expect(notes.edit('Note.md', addLine)).rejects.toMatchObject(refusal);
});

test('several processes that edit one note at once lose nothing of each other', async () => {
  await using fixture = await openFixture('');
  const program = `
    const { openNoteFolder } = await import(${JSON.stringify(import.meta.resolve('./file-note-store.ts'))});
    const notes = openNoteFolder(${JSON.stringify(fixture.vault)}, ${JSON.stringify(fixture.locks)});
    for (let n = 0; n < 20; n++) {
      await notes.edit('Note.md', (text) => [{ range: [text.length, text.length], text: process.argv[1] + n + '\\n' }]);
    }`;
  const run = (name: string) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, name]);
  await Promise.all(['a', 'b', 'c'].map(run));
  const lines = (await readFile(fixture.file, 'utf8')).trimEnd().split('\n');
  expect(lines).toHaveLength(60);
  expect(new Set(lines).size).toBe(60);
}, 60_000);

test('locks one note that is reached by two paths only once', async () => {
  await using fixture = await openFixture('');
  await symlink('vault', join(fixture.vault, '../linked'));
  const linked = openNoteFolder(join(fixture.vault, '../linked'), fixture.locks);
  const held: string[] = [];
  await fixture.notes.edit('Note.md', (text) => {
    held.push(...readdirSync(fixture.locks));
    return addLine(text);
  });
  await linked.edit('Note.md', (text) => {
    held.push(...readdirSync(fixture.locks));
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
