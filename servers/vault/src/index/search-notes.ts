import { gramsOfWord } from '../search/grams.ts';
import { matchNote, type NoteHit } from '../search/match-note.ts';
import { parseQuery } from '../search/parse-query.ts';
import { readCursor, writeCursor } from './cursor.ts';
import type { NoteEntry } from './note-table.ts';
import { Pace } from './pace.ts';
import type { QueryOptions } from './query-options.ts';
import { nameGram } from './read-for-index.ts';
import { describeTooDeep } from './too-deep.ts';
import type { VaultIndex } from './vault-index.ts';

export interface SearchRequest {
  readonly query: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface FoundNote {
  readonly path: string;
  readonly snippet: string;
}

export interface SearchAnswer {
  readonly notes: readonly FoundNote[];
  readonly next_cursor?: string;
  /** What was left out, as a sentence. */
  readonly left_out?: string;
}

/**
 * Finds the notes in which every word occurs. Notes that the index does not hold yet are read one by
 * one; of the others, those that may fit are read to make sure. So an answer is never out of date.
 */
export async function searchNotes(
  index: VaultIndex,
  { query, limit, cursor }: SearchRequest,
  asking: QueryOptions = {},
): Promise<SearchAnswer> {
  const words = parseQuery(query);
  await index.refresh(asking.signal);
  const start: SearchCursor =
    cursor === undefined ? firstCursor(index) : readCursor(cursor, isCursor);
  const search = new Search(index, words, start.ceiling, asking);
  // Hits are ranked among the next few dozen, not among all: there may be a hundred thousand.
  const wanted = limit * Math.ceil(rankedTogether / limit);
  const { hits, next } = await search.collect(start, wanted);
  // Equal scores go by path and not by time: an equal vault must give an equal answer.
  hits.sort((a, b) => b.score - a.score || (a.entry.path < b.entry.path ? -1 : 1));
  const to = start.offset + limit;
  const left = describeTooDeep(index.tooDeep);
  const following = to < hits.length ? { ...start, offset: to } : next;
  return {
    notes: hits
      .slice(start.offset, to)
      .map(({ entry, snippet }) => ({ path: entry.path, snippet })),
    ...(following !== undefined && { next_cursor: writeCursor(following) }),
    ...(left !== undefined && { left_out: left }),
  };
}

/**
 * Where a part of the answer begins. First come the notes that must be read, in the order of their
 * paths, then the rows of the index, newest first. Rows above the ceiling were made since the first
 * part: their notes count as notes to be read, so that none is shown twice or left out.
 */
interface SearchCursor {
  readonly ceiling: number;
  readonly phase: 'read' | 'rows';
  /** The last path that was read. */
  readonly after: string;
  /** The last row that was looked at. */
  readonly below: number;
  /** How many hits of this part have been shown. */
  readonly offset: number;
}

interface Hit extends NoteHit {
  readonly entry: NoteEntry;
}

const rankedTogether = 50;
const mostNamed = 200;
const fewestRows = 100;
const mostRows = 2000;
const mostGrams = 60;

class Search {
  readonly #index: VaultIndex;
  readonly #words: readonly string[];
  readonly #ceiling: number;
  readonly #asking: QueryOptions;
  readonly #grams: readonly string[];
  readonly #pace = new Pace();

  constructor(index: VaultIndex, words: readonly string[], ceiling: number, asking: QueryOptions) {
    this.#index = index;
    this.#words = words;
    this.#grams = someGrams(words);
    this.#ceiling = ceiling;
    this.#asking = asking;
  }

  /** At least so many hits from the cursor on, if there are as many, and the cursor of the rest. */
  async collect(
    start: SearchCursor,
    wanted: number,
  ): Promise<{ hits: Hit[]; next: SearchCursor | undefined }> {
    const hits: Hit[] = [];
    let cursor = start;
    if (cursor.phase === 'read') {
      const after = await this.#read(cursor.after, wanted, hits);
      if (after !== undefined) return { hits, next: { ...cursor, after, offset: 0 } };
      cursor = { ...cursor, phase: 'rows', below: this.#ceiling + 1 };
    }
    const below = await this.#askRows(cursor.below, wanted, hits);
    // The index was found corrupt and dropped: now every note is one to be read.
    if (below === 'lost') return await this.#without(start, wanted);
    return { hits, next: below === undefined ? undefined : { ...cursor, below, offset: 0 } };
  }

  #without(start: SearchCursor, wanted: number) {
    const search = new Search(this.#index, this.#words, 0, this.#asking);
    return search.collect({ ...start, ceiling: 0, phase: 'read', after: '' }, wanted);
  }

  async #read(after: string, wanted: number, hits: Hit[]): Promise<string | undefined> {
    const entries = this.#toRead(after);
    for (const [done, entry] of entries.entries()) {
      this.#check(entry, hits);
      if (hits.length >= wanted && done + 1 < entries.length) return entry.path;
      if (!this.#pace.isDue) continue;
      this.#asking.progress?.(done, entries.length);
      await this.#pace.breathe(this.#asking.signal);
    }
    return undefined;
  }

  #toRead(after: string): NoteEntry[] {
    const { notes } = this.#index;
    const hasGrown = this.#index.ask((database) => database.newestRow(), 0) > this.#ceiling;
    const newer = hasGrown ? [...notes.all()].filter(({ id }) => id > this.#ceiling) : [];
    return [...new Set([...notes.unread(), ...newer])]
      .filter(({ path }) => path > after)
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async #askRows(from: number, wanted: number, hits: Hit[]): Promise<number | undefined | 'lost'> {
    if (!this.#index.hasDatabase) return undefined;
    const named = this.#rows(this.#grams.map(nameGram), this.#ceiling + 1, mostNamed);
    if (named === undefined) return 'lost';
    // Notes that have the words in their names come first, whatever their age.
    if (from > this.#ceiling) await this.#checkRows(named, hits);
    let below = from;
    for (let count = fewestRows; ; count = Math.min(2 * count, mostRows)) {
      const rows = this.#rows(this.#grams, below, count);
      if (rows === undefined) return 'lost';
      for (const id of rows) {
        below = id;
        const entry = named.includes(id) ? undefined : this.#index.entryOf(id);
        if (entry !== undefined) this.#check(entry, hits);
        if (hits.length >= wanted) return below;
        await this.#pace.breathe(this.#asking.signal);
      }
      if (rows.length < count) return undefined;
    }
  }

  async #checkRows(ids: readonly number[], hits: Hit[]): Promise<void> {
    for (const id of ids) {
      const entry = this.#index.entryOf(id);
      if (entry !== undefined) this.#check(entry, hits);
      await this.#pace.breathe(this.#asking.signal);
    }
  }

  #rows(grams: readonly string[], below: number, most: number): number[] | undefined {
    return this.#index.ask((database) => database.withGrams(grams, below, most), undefined);
  }

  #check(entry: NoteEntry, hits: Hit[]): void {
    const note = this.#index.reader.read(entry.path);
    if (note === undefined) {
      this.#index.changed(entry.path);
      return;
    }
    const hit = matchNote(entry.path, note.text, this.#words);
    if (hit !== undefined) hits.push({ entry, ...hit });
  }
}

/** Grams of all the words, but not more than are worth asking for. */
function someGrams(words: readonly string[]): string[] {
  const grams = [...new Set(words.flatMap(gramsOfWord))];
  const step = Math.ceil(grams.length / mostGrams);
  return grams.filter((_, index) => index % step === 0);
}

function firstCursor(index: VaultIndex): SearchCursor {
  const ceiling = index.ask((database) => database.newestRow(), 0);
  return { ceiling, phase: 'read', after: '', below: 0, offset: 0 };
}

function isCursor(value: unknown): value is SearchCursor {
  if (typeof value !== 'object' || value === null) return false;
  const { ceiling, phase, after, below, offset } = value as Record<string, unknown>;
  return (
    [ceiling, below, offset].every((number) => Number.isSafeInteger(number)) &&
    (phase === 'read' || phase === 'rows') &&
    typeof after === 'string'
  );
}
