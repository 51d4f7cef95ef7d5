import { setTimeout as delay } from 'node:timers/promises';
import { isHidden } from '../files/note-path.ts';
import { NoteReader } from '../files/note-reader.ts';
import type { Vault } from '../files/vault.ts';
import type { VaultLock } from '../files/vault-lock.ts';
import { GramReader } from '../search/grams.ts';
import { IndexDatabase, isCorrupt, isDatabaseError } from './index-database.ts';
import { isSameVersion, type NoteEntry, NoteTable } from './note-table.ts';
import { Pace } from './pace.ts';
import { readForIndex } from './read-for-index.ts';
import { refreshPath, sweepVault } from './sweep-vault.ts';
import { type VaultWatch, watchVault } from './watch-vault.ts';

export interface VaultIndexOptions {
  readonly vault: Vault;
  readonly lock: VaultLock;
  /** Where the index is kept; undefined keeps it in memory. */
  readonly file: string | undefined;
  readonly watchLimit: number;
}

export interface IndexStatus {
  /** `reading` the folders, `building` the index, `ready`, or without an index `scanning` for each call. */
  readonly state: 'reading' | 'building' | 'ready' | 'scanning';
  readonly noteCount: number;
  readonly pending: number;
  readonly watching: boolean;
  /** What is not as it should be, as sentences. */
  readonly problems: readonly string[];
}

const eventPause = 20;
const manyChanges = 5000;
const longestTransaction = 2000;
const sweepInterval = 5 * 60_000;
const staleAfter = 500;
const maximumRebuilds = 3;

/** Knows all notes of a vault and, ever more completely, what is in them; nothing in it is trusted unread. */
export class VaultIndex implements AsyncDisposable {
  readonly vault: Vault;
  readonly notes = new NoteTable();
  readonly reader: NoteReader;
  readonly #options: VaultIndexOptions;
  readonly #grams = new GramReader();
  readonly #dirty = new Set<string>();
  readonly #removed = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #watch: VaultWatch;
  readonly #timer: NodeJS.Timeout;
  #database: IndexDatabase | undefined;
  #databaseProblem: string | undefined;
  #sweeping: Promise<void> | undefined;
  #indexing: Promise<void> | undefined;
  #settleTimer: NodeJS.Timeout | undefined;
  #rebuilds = 0;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(options: VaultIndexOptions) {
    this.#options = options;
    this.vault = options.vault;
    this.reader = new NoteReader(options.vault);
    this.#watch = watchVault(options.vault, {
      limit: options.watchLimit,
      changed: (path) => this.changed(path),
    });
    this.#openDatabase();
    // Events can be lost when very much happens at once; a look at everything finds what was missed.
    this.#timer = setInterval(() => this.#sweepInPassing(), sweepInterval).unref();
  }

  get database(): IndexDatabase | undefined {
    return this.#database;
  }

  status(): IndexStatus {
    const isSwept = this.#sweptAt > Number.NEGATIVE_INFINITY;
    const pending = this.notes.pending.size;
    const working = pending > 0 ? 'building' : 'ready';
    return {
      state: !isSwept ? 'reading' : this.#database === undefined ? 'scanning' : working,
      noteCount: this.notes.size,
      pending,
      watching: this.#watch.problem === undefined,
      problems: [this.#databaseProblem, this.#watch.problem].filter((text) => text !== undefined),
    };
  }

  /** Says that something may have changed at a path. */
  changed(path: string): void {
    if (path.split('/').some(isHidden)) return;
    this.#dirty.add(path);
    this.#settleTimer ??= setTimeout(() => this.#settle(), eventPause).unref();
  }

  /** Brings the table of notes up to date; called before each answer. */
  async refresh(signal?: AbortSignal): Promise<void> {
    const isStale = performance.now() - this.#sweptAt > staleAfter;
    const isBlind = this.#watch.problem !== undefined && isStale;
    if (isBlind || this.#sweptAt === Number.NEGATIVE_INFINITY) await this.#sweep();
    this.#settle();
    signal?.throwIfAborted();
  }

  /** Waits until the index holds every note there is. */
  async complete(): Promise<void> {
    await this.refresh();
    while (this.#indexing !== undefined) await this.#indexing;
  }

  /** Asks the index; without one, or when it turns out to be corrupt, the answer is the fallback. */
  ask<T>(question: (database: IndexDatabase) => T, fallback: T): T {
    if (this.#database === undefined) return fallback;
    try {
      return question(this.#database);
    } catch (error) {
      this.#databaseFailed(error);
      return fallback;
    }
  }

  /** The note of a row, if its present version is in the index; another server may have made the row. */
  entryOf(id: number): NoteEntry | undefined {
    const known = this.notes.byId(id);
    if (known !== undefined) return known;
    const row = this.ask((database) => database.row(id), undefined);
    const entry = row === undefined ? undefined : this.notes.get(row.path);
    if (row === undefined || entry === undefined || entry.id === 0) return undefined;
    return this.notes.put(row.path, entry.stamp, id, row.problem);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#timer);
    clearTimeout(this.#settleTimer);
    this.#watch[Symbol.dispose]();
    await Promise.allSettled([this.#sweeping, this.#indexing]);
    this.reader[Symbol.dispose]();
    this.#database?.[Symbol.dispose]();
    this.#database = undefined;
  }

  #openDatabase(): void {
    try {
      this.#database = IndexDatabase.open(this.#options.file ?? ':memory:');
      this.#databaseProblem =
        this.#database === undefined
          ? 'This Node has no full-text search, so each search reads the whole vault. Use Node 22.16 or later.'
          : undefined;
      if (this.#database === undefined) return;
      for (const { path, stamp, id, problem } of this.#database.remembered()) {
        this.notes.put(path, stamp, id, problem);
      }
    } catch (error) {
      this.#databaseFailed(error);
    }
  }

  /** A corrupt index is made anew; any other failure leaves the vault to be read without one. */
  #databaseFailed(error: unknown): void {
    if (!isDatabaseError(error)) throw error;
    this.#database?.[Symbol.dispose]();
    this.#database = undefined;
    for (const entry of this.notes.all()) this.notes.put(entry.path, entry.stamp);
    const { file } = this.#options;
    if (isCorrupt(error) && file !== undefined && this.#rebuilds++ < maximumRebuilds) {
      IndexDatabase.delete(file);
      this.#openDatabase();
      this.#startIndexing();
      return;
    }
    this.#databaseProblem = `The index cannot be used (${error.message}), so each search reads the whole vault.`;
  }

  #sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepNow().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  /** What goes wrong here goes wrong again for the next caller, who is told. */
  #sweepInPassing(): void {
    this.#sweep().catch(() => {
      this.#sweptAt = Number.NEGATIVE_INFINITY;
    });
  }

  async #sweepNow(): Promise<void> {
    await sweepVault(this.#surroundings(), this.#stopping.signal);
    this.#sweptAt = performance.now();
    this.#startIndexing();
  }

  #settle(): void {
    clearTimeout(this.#settleTimer);
    this.#settleTimer = undefined;
    if (this.#stopping.signal.aborted) return;
    const paths = [...this.#dirty];
    this.#dirty.clear();
    if (paths.length > manyChanges) this.#sweepInPassing();
    else for (const path of paths) refreshPath(this.#surroundings(), path);
    this.reader[Symbol.dispose]();
    this.#startIndexing();
  }

  #surroundings() {
    const { vault, lock } = this.#options;
    return {
      vault,
      lock,
      notes: this.notes,
      reader: this.reader,
      watch: this.#watch,
      forget: (path: string) => this.#forget(path),
    };
  }

  #forget(path: string): void {
    if (this.notes.remove(path) !== undefined) this.#removed.add(path);
  }

  #startIndexing(): void {
    if (this.#database === undefined || this.#sweptAt === Number.NEGATIVE_INFINITY) return;
    if (this.notes.pending.size === 0 && this.#removed.size === 0) return;
    this.#indexing ??= this.#indexAll()
      .catch((error: unknown) => this.#databaseFailed(error))
      .finally(() => {
        this.#indexing = undefined;
        if (!this.#stopping.signal.aborted) this.#startIndexing();
      });
  }

  async #indexAll(): Promise<void> {
    // Oldest first: rows are asked for newest first, so recent notes come first in answers.
    const waiting = [...this.notes.pending].sort((a, b) => b.stamp.mtimeMs - a.stamp.mtimeMs);
    while (waiting.length > 0 || this.#removed.size > 0) {
      const database = this.#database;
      if (database === undefined || this.#stopping.signal.aborted) return;
      if (database.begin()) await this.#indexSome(database, waiting);
      else await delay(50);
    }
  }

  async #indexSome(database: IndexDatabase, waiting: NoteEntry[]): Promise<void> {
    const until = performance.now() + longestTransaction;
    const pace = new Pace();
    for (const path of this.#removed) {
      if (this.notes.get(path) === undefined) database.remove(path);
    }
    this.#removed.clear();
    while (waiting.length > 0 && performance.now() < until && !this.#stopping.signal.aborted) {
      const entry = waiting.pop();
      if (entry !== undefined && this.notes.pending.has(entry)) this.#indexOne(database, entry);
      await pace.breathe();
      if (this.#database !== database) return;
    }
    this.reader[Symbol.dispose]();
    database.commit();
  }

  #indexOne(database: IndexDatabase, { path, stamp }: NoteEntry): void {
    const known = database.find(path);
    if (known !== undefined && isSameVersion(known.stamp, stamp)) {
      this.notes.put(path, stamp, known.id, known.problem);
      return;
    }
    const text = this.reader.read(path);
    if (text === undefined) {
      this.#forget(path);
      return;
    }
    const note = readForIndex(path, text, this.#grams, Date.now());
    const id = database.store(note);
    this.notes.put(path, note.stamp, id, note.problem);
  }
}
