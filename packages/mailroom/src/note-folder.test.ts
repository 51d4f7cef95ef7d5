import fs, {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContainedRoot } from '@errand/files';
import { expect, onTestFinished, test } from 'vitest';
import { NoteFolder } from './note-folder.ts';

function openFiles(mostLooked?: number) {
  const folder = mkdtempSync(join(tmpdir(), 'errand-note-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['Drafts', 'Approved']) mkdirSync(join(folder, name));
  const put = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const text = (path: string) => readFileSync(join(folder, path), 'utf8');
  const names = () => ['Drafts', 'Approved'].flatMap((name) => readdirSync(join(folder, name)));
  return { files: new NoteFolder(openContainedRoot(folder), mostLooked), folder, put, text, names };
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

test('of very many finished notes, what comes and goes is seen at once, what was read stays known, and other changes are seen in turn', async () => {
  const { files, put, folder } = openFiles(10);
  mkdirSync(join(folder, 'Done/Old'), { recursive: true });
  const noteOf = (id: string, status = 'done') =>
    `---\ntype: email\nstatus: ${status}\nmessage_id: ${id}\n---\n`;
  for (let at = 0; at < 25; at += 1) put(`Done/${at}.md`, noteOf(`m${at}`));
  put('Done/Old/b.md', noteOf('b'));
  const look = async () => new Map((await files.scan()).map((head) => [head.path, head.values]));
  const isOld = ({ message_id }: { readonly message_id?: unknown }) =>
    /^m\d+$/.test(String(message_id));
  const before = await look();
  expect(before.size).toBe(26);
  expect(before.get('Done/Old/b.md')).toEqual({ type: 'email', status: 'done', message_id: 'b' });
  put('Done/new.md', noteOf('new', 'pending'));
  rmSync(join(folder, 'Done/7.md'));
  renameSync(join(folder, 'Done/8.md'), join(folder, 'Drafts/8.md'));
  const after = await look();
  expect(after.size).toBe(26);
  expect(after.get('Done/new.md')).toMatchObject({ status: 'pending' });
  expect(after.get('Drafts/8.md')).toMatchObject({ message_id: 'm8' });
  rmSync(join(folder, 'Drafts/8.md'));
  for (let at = 0; at < 25; at += 1)
    if (at !== 7 && at !== 8) put(`Done/${at}.md`, noteOf(`n${at}`));
  await files.read('Done/21.md');
  expect((await look()).get('Done/21.md')).toMatchObject({ message_id: 'n21' });
  expect([...(await look()).values()].some(isOld)).toBe(true);
  expect([...(await look()).values()].some(isOld)).toBe(false);
});
