import type { Stats } from 'node:fs';
import { readParts } from '@errand/document/frontmatter';
import type { FileText } from '@errand/files';
import { fold, foldedName } from '../search/fold.ts';
import type { GramReader } from '../search/grams.ts';
import { searchableTexts } from '../search/searchable-text.ts';
import type { IndexedNote } from './index-database.ts';
import { noteFacts } from './note-facts.ts';
import { largestIndexed, stampOf } from './note-table.ts';

/** How long after a change a disk's clock may not yet tell it from the next, in milliseconds. */
const clockDoubt = 100;

/** Takes a note apart for the index. */
export function readForIndex(
  path: string,
  { text, stats, isExact }: FileText,
  grams: GramReader,
  now: number,
): IndexedNote {
  const parts = readParts(text);
  const facts = noteFacts(text, parts);
  const stamp = stampOf(stats);
  return {
    ...facts,
    problem: facts.problem ?? encodingProblem(isExact),
    path,
    // Written this very moment, it may be written again without a new time: to be read again later.
    stamp: now - stats.ctimeMs < clockDoubt ? { ...stamp, ctimeMs: 0 } : stamp,
    grams:
      stats.size > largestIndexed
        ? undefined
        : grams.read(searchableTexts(text, parts).map(fold)) + nameGrams(grams, path),
  };
}

function nameGrams(grams: GramReader, path: string): string {
  return grams.read([foldedName(path)]).replaceAll(/\w+/g, nameGram);
}

/** A gram of a note's name, which ranks the note but does not make it a hit. */
export function nameGram(gram: string): string {
  return `n${gram}`;
}

/** What the index holds of a note that is there but may not be read. */
export function unreadableForIndex(path: string, stats: Stats): IndexedNote {
  const nothing = { fields: [], tags: [], links: [], grams: '' };
  return { path, stamp: stampOf(stats), problem: unreadable, ...nothing };
}

export const unreadable = 'The system does not allow this note to be read. Check its permissions.';

/** What is wrong with a note, as a sentence, if anything is. */
export function noteProblem({ text, isExact }: FileText): string | undefined {
  return noteFacts(text).problem ?? encodingProblem(isExact);
}

function encodingProblem(isExact: boolean): string | undefined {
  return isExact ? undefined : 'The note is not UTF-8 text. Save it as UTF-8 to read it.';
}
