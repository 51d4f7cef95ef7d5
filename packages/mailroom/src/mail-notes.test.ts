import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openContainedRoot } from '@errand/files';
import { expect, onTestFinished, test } from 'vitest';
import { ToolFailure } from './mcp-client.ts';
import { NoteFolder } from './note-folder.ts';
import type { NoteHead } from './note-head.ts';
import { openPorts } from './testing/open-ports.ts';

/** Notes on the disk without a vault server. */
function openNotes(options: Parameters<typeof openPorts>[2] = {}) {
  const { write, ...place } = openPorts(onTestFinished, {}, options);
  const put = (path: string, id: string) => write(path, { type: 'email', message_id: id });
  return { ...place, put };
}

const newMail = (id: string) => ({
  folder: 'Needs_Action' as const,
  time: Date.UTC(2026, 0, 1),
  subject: 'The same',
  values: { type: 'email', message_id: id },
  body: 'Text\n',
});

test('a note that is written while the folders are looked at is known afterwards', async () => {
  const looked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  class SlowFolder extends NoteFolder {
    override async scan(): Promise<readonly NoteHead[]> {
      const heads = await super.scan();
      looked.resolve();
      await goOn.promise;
      return heads;
    }
  }
  const { notes } = openNotes({ Files: SlowFolder });
  const looking = notes.refresh();
  await looked.promise;
  const path = await notes.create(newMail('m1'), 's');
  goOn.resolve();
  await looking;
  expect(notes.heads.map((head) => head.path)).toEqual([path]);
  expect(await notes.locate('m1', 'mail')).toMatchObject({ path });
});

test('a look that was asked for while another one ran sees what came in between', async () => {
  const { notes, put } = openNotes();
  const first = notes.refresh();
  put('Needs_Action/late.md', 'm1');
  await notes.refresh();
  expect(notes.heads).toMatchObject([{ path: 'Needs_Action/late.md' }]);
  await first;
});

test('a note is found by the path that it has left, with and without an id', async () => {
  const { notes, put, move, folder } = openNotes();
  put('Needs_Action/a.md', 'm1');
  writeFileSync(join(folder, 'Drafts/own.md'), '---\nto: a@example.org\n---\nText\n');
  await notes.refresh();
  move('Needs_Action/a.md', 'Done/b.md');
  move('Drafts/own.md', 'Approved/own.md');
  await notes.refresh();
  expect(await notes.locate('Needs_Action/a.md')).toMatchObject({ path: 'Done/b.md' });
  expect(await notes.locate('Drafts/own.md')).toMatchObject({ path: 'Approved/own.md' });
  // Another note at the old path is that one.
  put('Needs_Action/a.md', 'm2');
  await notes.refresh();
  expect(await notes.locate('Needs_Action/a.md')).toMatchObject({ values: { message_id: 'm2' } });
  expect(await notes.locate('Needs_Action/never.md')).toBeUndefined();
});

test('what is done with a note is done where it has moved to meanwhile', async () => {
  const { notes, put, move, folder } = openNotes();
  put('Needs_Action/a.md', 'm1');
  await notes.refresh();
  const seen: string[] = [];
  const path = await notes.follow(await notes.locate('m1'), async (note) => {
    seen.push(note.path);
    if (seen.length === 1) move('Needs_Action/a.md', 'Done/a.md');
    await notes.update(note.path, { set: { status: 'done' } }, 's');
    return note.path;
  });
  expect(path).toBe('Done/a.md');
  expect(seen).toEqual(['Needs_Action/a.md', 'Done/a.md']);
  expect(await notes.read('Done/a.md')).toMatchObject({ values: { status: 'done' } });
  // A note that is gone is not invented.
  const gone = await notes.follow(await notes.locate('m1'), async (note) => {
    rmSync(join(folder, note.path), { force: true });
    await notes.update(note.path, { set: { status: 'new' } }, 's');
    return note.path;
  });
  expect(gone).toBeUndefined();
  // What is wrong with a note that stays is told.
  put('Needs_Action/b.md', 'm2');
  await notes.refresh();
  const act = () => notes.update('Needs_Action/other.md', { set: {} }, 's');
  await expect(notes.follow(await notes.locate('m2'), act)).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('notes of one name get numbers without trying every number that is taken', async () => {
  const { notes, calls } = openNotes();
  const paths = new Set<string>();
  for (let at = 0; at < 60; at += 1) paths.add(await notes.create(newMail(`m${at}`), 's'));
  const together = await Promise.all(
    Array.from({ length: 4 }, (_, at) => notes.create(newMail(`n${at}`), 's')),
  );
  for (const path of together) paths.add(path);
  expect(paths.size).toBe(64);
  // Those that come at the same moment may try a name that another one takes.
  expect(calls.filter((name) => name === 'write_note').length).toBeLessThan(64 + 4 * 4);
});

test('a note that a call has made whose answer was lost is not made again', async () => {
  class LostAnswer extends NoteFolder {
    override async create(...note: Parameters<NoteFolder['create']>): Promise<void> {
      await super.create(...note);
      throw new ToolFailure('conflict', 'There is such a note already.');
    }
  }
  const { notes, paths } = openNotes({ Files: LostAnswer });
  const path = await notes.create(newMail('m1'), 's');
  expect(paths()).toEqual([path]);
  // Another mail of that name is another note.
  const second = await notes.create(newMail('m2'), 's');
  expect(paths().toSorted()).toEqual([second, path].toSorted());
});

test('a note stays in its folder, also below it, and gets a number where its name is taken', async () => {
  const { notes, put, folder, calls, paths } = openNotes();
  put('Done/a.md', 'm1');
  put('Needs_Action/a.md', 'm2');
  mkdirSync(join(folder, 'Done/News'));
  put('Done/News/a.md', 'm3');
  for (const path of ['Done/a.md', 'Done/News/a.md'])
    expect(await notes.move(path, 'Done', 's')).toBe(path);
  expect(calls).toEqual([]);
  expect(await notes.move('Needs_Action/a.md', 'Done', 's')).toBe('Done/a-001.md');
  expect(paths()).not.toContain('Needs_Action/a.md');
  expect(await notes.locate('m2')).toMatchObject({ path: 'Done/a-001.md' });
});

test('a note that is gone is not taken for the one that has its file number now', async () => {
  class SameNumber extends NoteFolder {
    override async scan(): Promise<readonly NoteHead[]> {
      return (await super.scan()).map((head) => ({ ...head, inode: `1:${head.path.length > 12}` }));
    }
  }
  const { folder, notes, put } = openNotes({ Files: SameNumber });
  writeFileSync(join(folder, 'Drafts/by-hand.md'), '---\nto: a@example.org\n---\nText\n');
  await notes.refresh();
  rmSync(join(folder, 'Drafts/by-hand.md'));
  put('Needs_Action/new.md', 'm1');
  await notes.refresh();
  expect(await notes.locate('Drafts/by-hand.md')).toBeUndefined();
});

test('of two files with one number none is removed, unless it is one file with two names', async () => {
  const { folder, notes, put } = openNotes();
  const files = new NoteFolder(openContainedRoot(folder));
  put('Needs_Action/a.md', 'm1');
  linkSync(join(folder, 'Needs_Action/a.md'), join(folder, 'Done/a.md'));
  put('Needs_Action/b.md', 'm2');
  files.removeDouble('Needs_Action/b.md', 'Needs_Action/b.md');
  await notes.refresh();
  expect(notes.heads.map(({ path }) => path).toSorted()).toEqual([
    'Needs_Action/a.md',
    'Needs_Action/b.md',
  ]);
});
