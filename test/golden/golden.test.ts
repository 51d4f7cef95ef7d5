import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Notes, type NotesOptions, runNotes } from './run-notes.ts';

/** What a case may say beside its notes. */
interface Case extends NotesOptions {
  /** For each block: status, or status and code. */
  readonly results?: readonly string[];
  /** False when a second run by the same host says something else: a server it cannot start is tried later. */
  readonly isRepeatable?: boolean;
  /** Files that must be there afterwards. */
  readonly attachments?: readonly string[];
}

const cases = join(import.meta.dirname, 'cases');

test.for(readdirSync(cases))('%s', async (name) => {
  const folder = join(cases, name);
  const path = join(folder, 'case.json');
  const given: Case = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const { ended, notes, again, attachments } = await runNotes(notesIn(folder, 'before'), given);
  // To accept a new text: UPDATE_GOLDEN=1 npm test -- test/golden, then read the difference.
  if (process.env.UPDATE_GOLDEN === '1') accept(folder, notes);
  expect(notes).toEqual(notesIn(folder, 'after'));
  if (given.isRepeatable !== false) expect(again).toEqual(notes);
  expect(ended).toEqual(given.results ?? ended.map(() => 'success'));
  expect(attachments).toEqual(given.attachments ?? []);
});

/** One note is a file of that name, several are in a folder of that name. */
function notesIn(folder: string, name: 'before' | 'after'): Notes {
  const several = join(folder, name);
  const files = existsSync(several)
    ? readdirSync(several).map((file) => [file, join(several, file)] as const)
    : [['Note.md', `${several}.md`] as const];
  return Object.fromEntries(files.map(([file, path]) => [file, readFileSync(path, 'utf8')]));
}

function accept(folder: string, notes: Notes): void {
  const isOne = existsSync(join(folder, 'before.md'));
  if (!isOne) mkdirSync(join(folder, 'after'), { recursive: true });
  for (const [name, text] of Object.entries(notes)) {
    writeFileSync(join(folder, isOne ? 'after.md' : `after/${name}`), text);
  }
}
