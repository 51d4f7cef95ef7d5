import { openFolder } from '../files/open-folder.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { longestValue } from './index-database.ts';
import { type NoteFilter, noteFits, parseFilter } from './note-filter.ts';
import { isSameVersion, type NoteEntry, stampOf } from './note-table.ts';
import { Pace } from './pace.ts';
import { noteProblem } from './read-for-index.ts';
import type { Asking } from './search-notes.ts';
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
}

/** Lists the notes of a folder, those that fit a filter if there is one, each checked on the disk. */
export async function listNotes(
  index: VaultIndex,
  { folder, recursive, filter, sort, limit, cursor }: ListRequest,
  asking: Asking = {},
): Promise<ListAnswer> {
  const wanted = filter === undefined ? undefined : parseFilter(filter);
  const after = cursor === undefined ? undefined : readCursor(cursor, isPlace);
  await index.refresh(asking.signal);
  const below = realPath(index, folder);
  const entries =
    wanted === undefined ? everyNote(index, below) : await fittingNotes(index, wanted, asking);
  const prefix = below === '' ? '' : `${below}/`;
  const isListed = ({ path }: NoteEntry) =>
    path.startsWith(prefix) && (recursive || !path.includes('/', prefix.length));
  const ordered = entries.filter(isListed).sort(sort === 'path' ? byPath : byTime);
  const rest =
    after === undefined ? ordered : ordered.filter((entry) => comesAfter(entry, after, sort));
  return await page(index, rest, wanted, limit, asking);
}

/** What a cursor remembers: the last note that was listed. */
interface Place {
  readonly path: string;
  readonly time: number;
}

function realPath({ vault }: VaultIndex, folder: readonly string[]): string {
  using open = openFolder(vault, folder);
  return open.segments.join('/');
}

function everyNote({ notes }: VaultIndex, folder: string): NoteEntry[] {
  return notes.below(folder).flatMap((path) => notes.get(path) ?? []);
}

async function fittingNotes(
  index: VaultIndex,
  wanted: NoteFilter,
  asking: Asking,
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
  entries: readonly NoteEntry[],
  wanted: NoteFilter | undefined,
  limit: number,
  { signal }: Asking,
): Promise<ListAnswer> {
  const notes: ListedNote[] = [];
  const pace = new Pace();
  for (const [place, entry] of entries.entries()) {
    const listed = checked(index, entry, wanted);
    if (listed !== undefined) notes.push(listed);
    await pace.breathe(signal);
    if (notes.length < limit) continue;
    if (place + 1 === entries.length) break;
    return { notes, next_cursor: writeCursor({ path: entry.path, time: entry.stamp.mtimeMs }) };
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
  let { problem } = entry;
  if (!isKnown) {
    if (entry.id !== 0) index.changed(entry.path);
    const note = stats?.isFile() === true ? reader.read(entry.path) : undefined;
    if (note === undefined || (wanted !== undefined && !noteFits(note.text, wanted)))
      return undefined;
    problem = noteProblem(note);
  }
  return { path: entry.path, ...(problem !== undefined && { problem }) };
}

function byPath(a: NoteEntry, b: NoteEntry): number {
  return a.path < b.path ? -1 : 1;
}

function byTime(a: NoteEntry, b: NoteEntry): number {
  return b.stamp.mtimeMs - a.stamp.mtimeMs || byPath(a, b);
}

function comesAfter({ path, stamp }: NoteEntry, after: Place, sort: ListRequest['sort']): boolean {
  if (sort === 'path' || stamp.mtimeMs === after.time) return path > after.path;
  return stamp.mtimeMs < after.time;
}

function isPlace(value: unknown): value is Place {
  if (typeof value !== 'object' || value === null) return false;
  const { path, time } = value as Record<string, unknown>;
  return typeof path === 'string' && typeof time === 'number';
}
