import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type LocatedFile, locateFile, openContainedRoot } from '@errand/files';
import { HostError } from '@errand/host';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { editNoteFile } from './edit-note-file.ts';

const addResult = (text: string) => {
  const at = text.indexOf('\n') + 1;
  return [{ range: [at, at] as const, text: 'result\n' }];
};

/** Edits a note while another program does something at the given steps: each time a path is looked up. */
async function editWhile(steps: Readonly<Record<number, (file: string) => void>>) {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'Note.md');
  writeFileSync(file, 'one\n');
  using note = locateFile(openContainedRoot(folder.path), ['Note.md']);
  let step = 0;
  const watched: LocatedFile = {
    ...note,
    folder: {
      ...note.folder,
      at(name) {
        steps[++step]?.(file);
        return note.folder.at(name);
      },
    },
  };
  const error = await editNoteFile('Note.md', watched, addResult).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const names = readdirSync(folder.path).sort();
  const texts = names.map((name) => readFileSync(join(folder.path, name), 'utf8'));
  return { error, names, texts, steps: step, note: readFileSync(file, 'utf8') };
}

const append = (line: string) => (file: string) => appendFileSync(file, line);

const renameOver = (text: string) => (file: string) => {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
};

/** Who saves a whole note after a result was written into it replaces that one. */
const theirs = /^ours\n(result\n)?and theirs\n$/;

test('an edit of another program at any step of a write stays in the note', async () => {
  const { steps } = await editWhile({});
  const atEveryStep = async (edit: (file: string) => void, note: unknown) => {
    const all = Array.from({ length: steps }, (_, index) => index + 1);
    const ends = await Promise.all(all.map((step) => editWhile({ [step]: edit })));
    expect(ends.map((end) => end.note)).toEqual(all.map(() => note));
  };
  await atEveryStep(append('theirs\n'), 'one\nresult\ntheirs\n');
  const ours = 'ours\nand theirs\n';
  await atEveryStep((file) => writeFileSync(file, ours), expect.stringMatching(theirs));
  await atEveryStep(renameOver(ours), expect.stringMatching(theirs));
  expect(steps).toBeGreaterThan(5);
});

test('of two edits of other programs each is in the note, or in a copy that the error names', async () => {
  const { steps } = await editWhile({});
  let copies = 0;
  for (let first = 6; first <= steps; first++) {
    const seconds = [1, 2, 3, 4].map((later) => first + later);
    const ends = await Promise.all(
      seconds.map((second) =>
        editWhile({ [first]: append('theirs\n'), [second]: append('more\n') }),
      ),
    );
    for (const [index, end] of ends.entries()) {
      if (end.steps < (seconds[index] ?? 0)) continue;
      const all = end.texts.join('');
      for (const line of ['one', 'theirs', 'more', 'result']) expect(all).toContain(line);
      const [copy] = end.names.filter((name) => name !== 'Note.md');
      expect(end.error instanceof HostError).toBe(copy !== undefined);
      if (copy === undefined) continue;
      copies += 1;
      expect(copy).toMatch(/^Note \(conflict \d{4}-\d\d-\d\d \d{6}( \d)?\)\.md$/);
      expect(end.error).toMatchObject({
        code: 'note_changed',
        message: expect.stringContaining(copy),
        advice: [{ kind: 'merge-copy', note: 'Note.md', copy }],
      });
    }
  }
  expect(copies).toBeGreaterThan(0);
}, 60_000);

test('waits for a program that has written half of the note', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'Note.md');
  writeFileSync(file, 'old\n');
  const program = `
    const { openSync, writeSync, closeSync } = require('node:fs');
    const file = openSync(${JSON.stringify(file)}, 'w');
    writeSync(file, 'new\\nfirst half\\n');
    console.log('half');
    process.stdin.once('data', () => { writeSync(file, 'second half\\n'); closeSync(file); process.exit(); });`;
  const editor = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(editor.stdout, 'data');
  using note = locateFile(openContainedRoot(folder.path), ['Note.md']);
  let asked = 0;
  const edited = editNoteFile('Note.md', note, (text) => {
    asked += 1;
    // The half was read: the other one comes while the result is on its way to the disk.
    if (asked === 1) editor.stdin.write('go on');
    return addResult(text);
  });
  expect(await edited).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('new\nresult\nfirst half\nsecond half\n');
});

test('finds a note again that an editor moves aside while it saves', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'Note.md');
  writeFileSync(file, 'one\n');
  using note = locateFile(openContainedRoot(folder.path), ['Note.md']);
  await rename(file, `${file}~`);
  const edited = editNoteFile('Note.md', note, addResult);
  await rename(`${file}~`, file);
  expect(await edited).toBe(true);
});

test('keeps group and extended attributes, and refuses a note with a hard link', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'Note.md');
  writeFileSync(file, 'one\n');
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(file, 1234, 4321);
  const before = statSync(file);
  const attribute = (script: string) =>
    spawnSync('/usr/bin/perl', ['-e', script, file], { encoding: 'utf8' }).stdout;
  // setxattr and getxattr by their numbers on x64, since Node has neither.
  const set = attribute('$n = "user.tag"; $v = "red"; print syscall(188, $ARGV[0], $n, $v, 3, 0)');
  using note = locateFile(openContainedRoot(folder.path), ['Note.md']);
  expect(await editNoteFile('Note.md', note, addResult)).toBe(true);
  const after = statSync(file);
  expect([after.uid, after.gid, after.mode]).toEqual([before.uid, before.gid, before.mode]);
  expect(after.ino).not.toBe(before.ino);
  if (set === '0') {
    const get = '$n = "user.tag"; $v = " " x 3; syscall(191, $ARGV[0], $n, $v, 3); print $v';
    expect(attribute(get)).toBe('red');
    await editNoteFile('Note.md', note, addResult);
    expect(attribute(get)).toBe('red');
    // One that is set between two writes of a file that had none.
    writeFileSync(file, 'two\n');
    attribute('$n = "user.tag"; print syscall(197, $ARGV[0], $n)');
    await editNoteFile('Note.md', note, addResult);
    attribute('$n = "user.tag"; $v = "new"; print syscall(188, $ARGV[0], $n, $v, 3, 0)');
    await editNoteFile('Note.md', note, addResult);
    expect(attribute(get)).toBe('new');
  }

  linkSync(file, join(folder.path, 'Other.md'));
  await expect(editNoteFile('Note.md', note, addResult)).rejects.toMatchObject({
    code: 'note_unreadable',
    message: expect.stringContaining('hard link'),
  });
  expect(statSync(file).nlink).toBe(2);
});

test('looks for editors only after others wrote, not after its own writes', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'Note.md');
  writeFileSync(file, 'one\n');
  const minuteAgo = new Date(Date.now() - 60_000);
  utimesSync(file, minuteAgo, minuteAgo);
  using note = locateFile(openContainedRoot(folder.path), ['Note.md']);
  const started: ChildProcess[] = [];
  const watch = (message: unknown) =>
    void started.push((message as { readonly process: ChildProcess }).process);
  const exchanges = () =>
    started.filter(({ spawnargs }) => spawnargs.some((arg) => arg.includes('syscall(316')));
  const others = () => started.length - exchanges().length;
  subscribe('child_process', watch);
  try {
    for (let count = 0; count < 3; count += 1) await editNoteFile('Note.md', note, addResult);
    expect(exchanges()).toEqual([]);
    // One look at its attributes, of which it has none.
    expect(others()).toBeLessThanOrEqual(1);
    appendFileSync(file, 'by another\n');
    await editNoteFile('Note.md', note, addResult);
    await editNoteFile('Note.md', note, addResult);
    expect(exchanges()).toHaveLength(process.platform === 'linux' ? 2 : 0);
  } finally {
    unsubscribe('child_process', watch);
  }
  expect(readFileSync(file, 'utf8')).toBe(`one\n${'result\n'.repeat(5)}by another\n`);
});
