import { openFolder } from '../files/open-folder.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { longestValue } from './index-database.ts';
import { type NoteFilter, noteFits, parseFilter } from './note-filter.ts';
import { isSameVersion, type NoteEntry, stampOf } from './note-table.ts';
import { Pace } from './pace.ts';
import type { QueryOptions } from './query-options.ts';
import { noteProblem, unreadable } from './read-for-index.ts';
import { describeTooDeep } from './too-deep.ts';
import type { VaultIndex } from './vault-index.ts';

export interface ListRequest {
  /** The folder, taken apart; empty is the vault. */
  readonly folder: readonly string[];
  readonly recursive: boolean;
  readonly filter?: string | undefined;
  readonly sort: 'path' | 'modified';
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface ListedNote {
  readonly path: string;
  /** Why its frontmatter or its letters cannot be read, if so. */
  readonly problem?: string;
}

export interface ListAnswer {
  readonly notes: readonly ListedNote[];
  readonly next_cursor?: string;
  /** What was left out, as a sentence. */
  readonly left_out?: string;
}

/** Lists the notes of a folder, those that fit a filter if there is one, each checked on the disk. */
export async function listNotes(
  index: VaultIndex,
  { folder, recursive, filter, sort, limit, cursor }: ListRequest,
  asking: QueryOptions = {},
): Promise<ListAnswer> {
  const wanted = filter === undefined ? undefined : parseFilter(filter);
  const after = cursor === undefined ? undefined : readCursor(cursor, isCursor);
  await index.refresh(asking.signal);
  const below = realPath(index, folder);
  const isListed = isIn(below, recursive);
  const left = describeTooDeep([...index.tooDeep].filter(isListed));
  const answer = async (entries: Iterable<NoteEntry>) => ({
    ...(await page(index, entries, wanted, limit, asking)),
    ...(left !== undefined && { left_out: left }),
  });
  if (wanted === undefined && sort === 'path') {
    return answer(entriesOf(index, index.notes.below(below, after?.path), isListed));
  }
  const entries =
    wanted === undefined
      ? [...entriesOf(index, index.notes.below(below), isListed)]
      : (await fittingNotes(index, wanted, asking)).filter(({ path }) => isListed(path));
  const rest =
    after === undefined ? entries : entries.filter((entry) => comesAfter(entry, after, sort));
  return answer(rest.sort(sort === 'path' ? byPath : byTime));
}

/** What a cursor remembers: the last note that was listed. */
interface ListCursor {
  readonly path: string;
  readonly time: number;
}

function realPath({ vault }: VaultIndex, folder: readonly string[]): string {
  using open = openFolder(vault, folder);
  return open.segments.join('/');
}

function isIn(folder: string, recursive: boolean): (path: string) => boolean {
  const prefix = folder === '' ? '' : `${folder}/`;
  return (path) => path.startsWith(prefix) && (recursive || !path.includes('/', prefix.length));
}

function* entriesOf(
  { notes }: VaultIndex,
  paths: readonly string[],
  isListed: (path: string) => boolean,
): Generator<NoteEntry> {
  for (const path of paths) {
    const entry = isListed(path) ? notes.get(path) : undefined;
    if (entry !== undefined) yield entry;
  }
}

async function fittingNotes(
  index: VaultIndex,
  wanted: NoteFilter,
  asking: QueryOptions,
): Promise<NoteEntry[]> {
  const { notes } = index;
  const rows = wanted.values.every((value) => value.length <= longestValue)
    ? index.ask(
        (database) => wanted.values.flatMap((value) => database.withField(wanted.field, value)),
        undefined,
      )
    : undefined;
  const known = new Set((rows ?? []).flatMap((id) => index.entryOf(id) ?? []));
  const unknown = rows === undefined ? [...notes.all()] : [...notes.pending];
  const pace = new Pace();
  for (const [done, entry] of unknown.entries()) {
    const note = index.reader.read(entry.path);
    if (note !== undefined && noteFits(note.text, wanted)) known.add(entry);
    if (!pace.isDue) continue;
    asking.progress?.(done, unknown.length);
    await pace.breathe(asking.signal);
  }
  return [...known];
}

async function page(
  index: VaultIndex,
  entries: Iterable<NoteEntry>,
  wanted: NoteFilter | undefined,
  limit: number,
  { signal }: QueryOptions,
): Promise<ListAnswer> {
  const notes: ListedNote[] = [];
  const pace = new Pace();
  let last: NoteEntry | undefined;
  for (const entry of entries) {
    // Full, and there is at least one more to look at.
    if (notes.length === limit) {
      return { notes, next_cursor: writeCursor({ path: last?.path, time: last?.stamp.mtimeMs }) };
    }
    const note = checked(index, entry, wanted);
    if (note !== undefined) notes.push(note);
    last = entry;
    await pace.breathe(signal);
  }
  return { notes };
}

/** The note as it is now on the disk, or undefined when it is gone or no longer fits. */
function checked(
  index: VaultIndex,
  entry: NoteEntry,
  wanted: NoteFilter | undefined,
): ListedNote | undefined {
  const { reader } = index;
  const stats = reader.look(entry.path);
  const isKnown =
    stats !== undefined && entry.id !== 0 && isSameVersion(stampOf(stats), entry.stamp);
  if (isKnown) return listed(entry.path, entry.problem);
  if (entry.id !== 0) index.changed(entry.path);
  if (stats?.isFile() !== true) return undefined;
  const note = reader.read(entry.path);
  if (wanted !== undefined && (note === undefined || !noteFits(note.text, wanted)))
    return undefined;
  return listed(entry.path, note === undefined ? unreadable : noteProblem(note));
}

function listed(path: string, problem: string | undefined): ListedNote {
  return { path, ...(problem !== undefined && { problem }) };
}

function byPath(a: NoteEntry, b: NoteEntry): number {
  return a.path < b.path ? -1 : 1;
}

function byTime(a: NoteEntry, b: NoteEntry): number {
  return b.stamp.mtimeMs - a.stamp.mtimeMs || byPath(a, b);
}

function comesAfter(
  { path, stamp }: NoteEntry,
  after: ListCursor,
  sort: ListRequest['sort'],
): boolean {
  if (sort === 'path' || stamp.mtimeMs === after.time) return path > after.path;
  return stamp.mtimeMs < after.time;
}

function isCursor(value: unknown): value is ListCursor {
  if (typeof value !== 'object' || value === null) return false;
  const { path, time } = value as Record<string, unknown>;
  return typeof path === 'string' && typeof time === 'number';
}
