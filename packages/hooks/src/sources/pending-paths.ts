/** A file that is written without a pause is looked at this often, in milliseconds. */
const longestQuiet = 2_000;
/** After so many notices in a row all files are compared: systems drop notices when there are too many. */
const stormSize = 1_000;
/** Paths that wait to be looked at; beyond that all files are compared. */
const mostPaths = 20_000;

/** What is known of a path that has changed and waits to be looked at. Times are monotonic. */
export interface PendingPath {
  /** When the first notice came. */
  readonly since: number;
  /** When it may be looked at, unless another notice comes. */
  due: number;
  /** How many notices came. */
  merged: number;
  /** When it was first found to be missing. */
  missingSince?: number;
}

/** The paths that have changed and wait until they have been quiet; a bounded number of them. */
export class PendingPaths {
  readonly #paths = new Map<string, PendingPath>();
  #notices = 0;
  #stormSince: number | undefined;

  get size(): number {
    return this.#paths.size;
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  delete(path: string): void {
    this.#paths.delete(path);
  }

  clear(): void {
    this.#paths.clear();
    this.#notices = 0;
    this.#stormSince = undefined;
  }

  /** The system told of something, wanted or not. */
  count(now: number): void {
    this.#notices += 1;
    if (this.#notices >= stormSize) this.#stormSince ??= now;
  }

  /** A path has changed, and is looked at when it has been quiet for so long. */
  add(path: string, now: number, quiet: number): void {
    const known = this.#paths.get(path);
    if (known !== undefined) {
      known.due = Math.max(known.due, Math.min(now + quiet, known.since + longestQuiet));
      known.merged += 1;
    } else if (this.#paths.size < mostPaths) {
      this.#paths.set(path, { since: now, due: now + quiet, merged: 1 });
    } else this.#stormSince ??= now;
  }

  /** A path was looked at when it had so many notices; those that came meanwhile count as new. */
  settle(path: string, pending: PendingPath, merged: number, now: number): void {
    if (pending.merged === merged) this.#paths.delete(path);
    else this.#paths.set(path, { ...pending, since: now, merged: pending.merged - merged });
  }

  /** The paths that have been quiet, and in how many milliseconds the next one will have been. */
  due(now: number): {
    readonly ready: readonly (readonly [string, PendingPath])[];
    readonly wait: number;
  } {
    const ready: (readonly [string, PendingPath])[] = [];
    let wait = longestQuiet;
    for (const [path, pending] of this.#paths) {
      const { due } = pending;
      if (due > now) wait = Math.min(wait, due - now);
      else ready.push([path, pending]);
    }
    return { ready, wait: Math.max(wait, 1) };
  }

  /** Asks for a comparison of all files. */
  doubt(now: number): void {
    this.#stormSince ??= now;
  }

  /** Whether all files are to be compared now; says so once. */
  takeDoubt(now: number): boolean {
    const isOver = this.#paths.size === 0;
    const isDue =
      this.#stormSince !== undefined && (isOver || now > this.#stormSince + longestQuiet);
    if (isDue) this.#stormSince = undefined;
    if (isDue || (isOver && this.#stormSince === undefined)) this.#notices = 0;
    return isDue;
  }
}
