import { setTimeout as delay } from 'node:timers/promises';
import type { TextReader } from '@errand/files';
import { GramReader } from '../search/grams.ts';
import { isCorrupt, isDatabaseError } from './database-error.ts';
import { IndexDatabase, type IndexedNote } from './index-database.ts';
import { isSameVersion, type NoteEntry, type NoteTable } from './note-table.ts';
import { deleteDatabase } from './open-database.ts';
import { Pace } from './pace.ts';
import { readForIndex, unreadableForIndex } from './read-for-index.ts';

const busyPause = 50;
const questionPause = 100;
const longestTransaction = 2000;
const maximumRebuilds = 3;

/** Keeps the database of an index filled with the notes of a table, in the background. */
export class IndexBuilder {
  readonly #notes: NoteTable;
  readonly #reader: TextReader;
  readonly #file: string | undefined;
  readonly #now: () => number;
  readonly #grams = new GramReader();
  readonly #removed = new Set<string>();
  readonly #stopping = new AbortController();
  #database: IndexDatabase | undefined;
  #problem: string | undefined;
  #building: Promise<void> | undefined;
  #rebuilds = 0;
  #questions = 0;

  /** Without a file the index is kept in memory. */
  constructor(notes: NoteTable, reader: TextReader, file: string | undefined, now: () => number) {
    this.#notes = notes;
    this.#reader = reader;
    this.#file = file;
    this.#now = now;
    this.#open();
  }

  get database(): IndexDatabase | undefined {
    return this.#database;
  }

  /** Why there is no index, as a sentence. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Asks the index; without one, or when it turns out to be corrupt, the answer is the fallback. */
  ask<T>(question: (database: IndexDatabase) => T, fallback: T): T {
    if (this.#database === undefined) return fallback;
    try {
      return question(this.#database);
    } catch (error) {
      this.#failed(error);
      return fallback;
    }
  }

  /** Takes a note out of the table, and in time out of the index. */
  forget(path: string): void {
    if (this.#notes.remove(path) !== undefined) this.#removed.add(path);
  }

  /** Pauses indexing until the returned handle is disposed, so that a query is answered first. */
  pauseIndexing(): Disposable {
    this.#questions++;
    return { [Symbol.dispose]: () => void this.#questions-- };
  }

  /** Starts indexing unless it runs already or nothing is pending. */
  start(): void {
    if (this.#database === undefined || this.#stopping.signal.aborted) return;
    if (this.#notes.pending.size === 0 && this.#removed.size === 0) return;
    this.#building ??= this.#build()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#building = undefined;
        this.start();
      });
  }

  /** Waits until nothing is pending. */
  async complete(): Promise<void> {
    while (this.#building !== undefined) await this.#building;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#building;
    this.#database?.[Symbol.dispose]();
    this.#database = undefined;
  }

  #open(): void {
    try {
      this.#database = IndexDatabase.open(this.#file ?? ':memory:');
      if (this.#database === undefined) {
        this.#problem =
          'This Node has no full-text search, so each search reads the whole vault. Use Node 22.16 or later.';
        return;
      }
      for (const { path, stamp, id, problem } of this.#database.remembered()) {
        this.#notes.put(path, stamp, id, problem);
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  /** A corrupt index is made anew; any other failure leaves the vault to be read without one. */
  #failed(error: unknown): void {
    if (!isDatabaseError(error)) throw error;
    this.#database?.[Symbol.dispose]();
    this.#database = undefined;
    for (const entry of this.#notes.all()) this.#notes.put(entry.path, entry.stamp);
    if (isCorrupt(error) && this.#file !== undefined && this.#rebuilds++ < maximumRebuilds) {
      deleteDatabase(this.#file);
      this.#open();
      this.start();
      return;
    }
    this.#problem = `The index cannot be used (${error.message}), so each search reads the whole vault.`;
  }

  async #build(): Promise<void> {
    // Oldest first: rows are asked for newest first, so recent notes come first in answers.
    const waiting = [...this.#notes.pending].sort((a, b) => b.stamp.mtimeMs - a.stamp.mtimeMs);
    while (waiting.length > 0 || this.#removed.size > 0) {
      if (this.#questions > 0) await delay(questionPause);
      const database = this.#database;
      if (database === undefined || this.#stopping.signal.aborted) return;
      if (database.begin()) await this.#indexSome(database, waiting);
      else await delay(busyPause);
    }
  }

  async #indexSome(database: IndexDatabase, waiting: NoteEntry[]): Promise<void> {
    const until = performance.now() + longestTransaction;
    const pace = new Pace();
    for (const path of this.#removed) {
      if (this.#notes.get(path) === undefined) database.remove(path);
    }
    this.#removed.clear();
    while (waiting.length > 0 && performance.now() < until && !this.#stopping.signal.aborted) {
      const entry = waiting.pop();
      if (entry !== undefined && this.#notes.pending.has(entry)) this.#indexOne(database, entry);
      if (!pace.isDue) continue;
      await pace.breathe();
      if (this.#database !== database) return;
      if (this.#questions > 0) break;
    }
    this.#reader[Symbol.dispose]();
    database.commit();
  }

  #indexOne(database: IndexDatabase, { path, stamp }: NoteEntry): void {
    const known = database.find(path);
    if (known !== undefined && isSameVersion(known.stamp, stamp)) {
      this.#notes.put(path, stamp, known.id, known.problem);
      return;
    }
    const note = this.#read(path);
    if (note === undefined) {
      this.forget(path);
      return;
    }
    const id = database.store(note);
    this.#notes.put(path, note.stamp, id, note.problem);
  }
  #read(path: string): IndexedNote | undefined {
    const text = this.#reader.read(path);
    if (text !== undefined) return readForIndex(path, text, this.#grams, this.#now());
    const stats = this.#reader.look(path);
    return stats?.isFile() === true ? unreadableForIndex(path, stats) : undefined;
  }
}
