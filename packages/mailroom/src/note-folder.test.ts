import fs, {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContainedRoot } from '@errand/files';
import { expect, onTestFinished, test } from 'vitest';
import { NoteFolder } from './note-folder.ts';

function openFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'errand-note-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['Drafts', 'Approved']) mkdirSync(join(folder, name));
  const put = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const text = (path: string) => readFileSync(join(folder, path), 'utf8');
  const names = () => ['Drafts', 'Approved'].flatMap((name) => readdirSync(join(folder, name)));
  return { files: new NoteFolder(openContainedRoot(folder)), put, text, names };
}

/** Calls of the system that give a file a name, with something that happens just before the first of them. */
function beforeNaming(act: () => void): void {
  const { linkSync, renameSync } = fs;
  let isDone = false;
  const once = () => {
    if (isDone) return;
    isDone = true;
    act();
  };
  fs.linkSync = (from, to) => {
    once();
    linkSync(from, to);
  };
  fs.renameSync = (from, to) => {
    once();
    renameSync(from, to);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { linkSync, renameSync });
    syncBuiltinESMExports();
  });
}

/** A disk without hard links, as phones and sticks have. */
function withoutLinks(): void {
  const { linkSync } = fs;
  fs.linkSync = () => {
    throw Object.assign(new Error('no links'), { code: 'EPERM' });
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.linkSync = linkSync;
    syncBuiltinESMExports();
  });
}

test('a file that another program makes at the new path during a move is not overwritten', async () => {
  const { files, put, text } = openFiles();
  put('Drafts/a.md', 'ours');
  beforeNaming(() => put('Approved/a.md', 'theirs'));
  await expect(files.move('Drafts/a.md', 'Approved/a.md')).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(text('Approved/a.md')).toBe('theirs');
  expect(text('Drafts/a.md')).toBe('ours');
});

test('a note is moved whole and leaves nothing behind, and one that is gone is told', async () => {
  const { files, put, text, names } = openFiles();
  put('Drafts/a.md', 'ours');
  await files.move('Drafts/a.md', 'Approved/b.md');
  expect(names()).toEqual(['b.md']);
  expect(text('Approved/b.md')).toBe('ours');
  await expect(files.move('Drafts/a.md', 'Approved/c.md')).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('on a disk without hard links notes are made and moved, and none is replaced', async () => {
  const { files, put, text, names } = openFiles();
  withoutLinks();
  await files.create('Drafts/a.md', { to: 'a@example.org' }, 'Text\n');
  await files.move('Drafts/a.md', 'Approved/a.md');
  expect(names()).toEqual(['a.md']);
  put('Drafts/a.md', 'another');
  await expect(files.move('Drafts/a.md', 'Approved/a.md')).rejects.toMatchObject({
    code: 'conflict',
  });
  await expect(files.create('Drafts/a.md', {}, 'Text\n')).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(text('Drafts/a.md')).toBe('another');
  expect(text('Approved/a.md')).toContain('Text');
});
