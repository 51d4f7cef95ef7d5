import type { Stats } from 'node:fs';

/** Identifies a version of a file. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}

/** A note that is there, and what the index holds of it. */
export interface NoteEntry {
  readonly path: string;
  stamp: FileStamp;
  /** Its row in the index; 0 while the index lacks this version of the note. */
  id: number;
  /** The row of an older version that is still in the index; 0 if there is none. */
  staleId: number;
  /** Why its frontmatter cannot be read, if so. */
  problem: string | undefined;
  /** The last sweep that met it. */
  sweep: number;
}

/** Notes larger than this are read by each search instead of being taken apart for the index. */
export const largestIndexed = 4 * 1024 * 1024;

const manyInsertions = 1000;

/** All notes of a vault, by path and in the order of their paths. */
export class NoteTable {
  readonly #byPath = new Map<string, NoteEntry>();
  readonly #byId = new Map<number, NoteEntry>();
  readonly #pending = new Set<NoteEntry>();
  readonly #large = new Set<NoteEntry>();
  #sorted: string[] | undefined;
  #insertions = 0;
  #sweep = 0;

  get size(): number {
    return this.#byPath.size;
  }

  /** The notes that the index does not hold in their present version. */
  get pending(): ReadonlySet<NoteEntry> {
    return this.#pending;
  }

  /** The notes whose letters the index does not hold: a search has to read them. */
  unread(): NoteEntry[] {
    return [...new Set([...this.#pending, ...this.#large])];
  }

  /** The number of the sweep that is going on, or of the last. */
  get sweep(): number {
    return this.#sweep;
  }

  beginSweep(): number {
    this.#sweep++;
    return this.#sweep;
  }

  get(path: string): NoteEntry | undefined {
    return this.#byPath.get(path);
  }

  byId(id: number): NoteEntry | undefined {
    return this.#byId.get(id);
  }

  all(): IterableIterator<NoteEntry> {
    return this.#byPath.values();
  }

  /** Notes a note's presence and version; it waits to be indexed unless an id says that it was. */
  put(path: string, stamp: FileStamp, id = 0, problem?: string): NoteEntry {
    let entry = this.#byPath.get(path);
    if (entry === undefined) {
      entry = { path, stamp, id: 0, staleId: 0, problem: undefined, sweep: 0 };
      this.#byPath.set(path, entry);
      this.#insertSorted(path);
    }
    this.#leave(entry);
    entry.stamp = stamp;
    entry.problem = problem;
    entry.id = id;
    if (stamp.size > largestIndexed) this.#large.add(entry);
    else this.#large.delete(entry);
    if (id === 0) this.#pending.add(entry);
    else {
      this.#byId.set(id, entry);
      this.#pending.delete(entry);
      entry.staleId = 0;
    }
    return entry;
  }

  remove(path: string): NoteEntry | undefined {
    const entry = this.#byPath.get(path);
    if (entry === undefined) return undefined;
    this.#leave(entry);
    this.#byPath.delete(path);
    this.#pending.delete(entry);
    this.#large.delete(entry);
    this.#removeSorted(path);
    return entry;
  }

  /** The paths below a folder (`''` is the vault) and behind a path, in order. */
  below(folder: string, after = ''): readonly string[] {
    this.#sorted ??= [...this.#byPath.keys()].sort();
    this.#insertions = 0;
    // '0' is the character after '/', and the path with a NUL is the next possible one.
    const first = folder === '' ? 0 : lowerBound(this.#sorted, `${folder}/`);
    const from = after === '' ? first : Math.max(first, lowerBound(this.#sorted, `${after}\0`));
    const to = folder === '' ? this.#sorted.length : lowerBound(this.#sorted, `${folder}0`);
    return this.#sorted.slice(from, to);
  }

  #leave(entry: NoteEntry): void {
    if (entry.id === 0) return;
    this.#byId.delete(entry.id);
    entry.staleId = entry.id;
    entry.id = 0;
  }

  #insertSorted(path: string): void {
    // Many notes are sorted faster all at once than put in their places one by one.
    if (++this.#insertions > manyInsertions) this.#sorted = undefined;
    this.#sorted?.splice(lowerBound(this.#sorted, path), 0, path);
  }

  #removeSorted(path: string): void {
    this.#sorted?.splice(lowerBound(this.#sorted, path), 1);
  }
}

/** The stamp of a file. */
export function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): FileStamp {
  return { size, mtimeMs, ctimeMs, ino };
}

/** Whether two stamps are of one version of one file. */
export function isSameVersion(one: FileStamp, other: FileStamp): boolean {
  return (
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs &&
    one.ino === other.ino
  );
}

function lowerBound(sorted: readonly string[], wanted: string): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? '') < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}
