import { lstatSync } from 'node:fs';
import {
  type FolderWatch,
  isHidden,
  isOnRemoteDisk,
  TextReader,
  type WatchProblem,
  watchFolders,
} from '@errand/files';
import { maximumDepth } from '../files/note-path.ts';
import { maximumNoteSize } from '../files/read-note-file.ts';
import type { Vault } from '../files/vault.ts';
import type { VaultLock } from '../files/vault-lock.ts';
import { IndexBuilder } from './index-builder.ts';
import type { IndexDatabase } from './index-database.ts';
import { type NoteEntry, NoteTable } from './note-table.ts';
import { refreshPath, type SweepSurroundings, sweepVault } from './sweep-vault.ts';
import { describeTooDeep } from './too-deep.ts';

export interface VaultIndexOptions {
  readonly vault: Vault;
  readonly lock: VaultLock;
  /** Where the index is kept; undefined keeps it in memory. */
  readonly file: string | undefined;
  readonly watchLimit: number;
  /** The time of day in milliseconds, to compare with that of files. */
  readonly now: () => number;
}

export interface IndexStatus {
  /** `reading` the folders, `building` the index, `ready`, or without an index `scanning` for each call. */
  readonly state: 'reading' | 'building' | 'ready' | 'scanning';
  readonly noteCount: number;
  readonly pending: number;
  readonly watching: boolean;
  /** Problems, as sentences. */
  readonly problems: readonly string[];
}

const eventPause = 20;
const manyChanges = 5000;
const sweepInterval = 5 * 60_000;
const staleAfter = 500;

/** The index of a vault's notes, built in the background. Every note is read again before it is reported. */
export class VaultIndex implements AsyncDisposable {
  readonly vault: Vault;
  readonly notes = new NoteTable();
  readonly reader: TextReader;
  /** Folders that are too deep to be looked into. */
  readonly tooDeep = new Set<string>();
  readonly #builder: IndexBuilder;
  readonly #surroundings: SweepSurroundings;
  readonly #dirty = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #watch: FolderWatch;
  readonly #isRemote: boolean;
  readonly #timer: NodeJS.Timeout;
  #root: number | undefined;
  #sweeping: Promise<void> | undefined;
  #settleTimer: NodeJS.Timeout | undefined;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor({ vault, lock, file, watchLimit, now }: VaultIndexOptions) {
    this.vault = vault;
    this.reader = new TextReader(vault, maximumNoteSize);
    this.#isRemote = isOnRemoteDisk(vault.root);
    this.#watch = watchFolders(vault.root, {
      limit: watchLimit,
      changed: (path) => this.changed(path),
    });
    this.#builder = new IndexBuilder(this.notes, this.reader, file, now);
    this.#surroundings = {
      vault,
      lock,
      notes: this.notes,
      reader: this.reader,
      watch: this.#watch,
      tooDeep: this.tooDeep,
      forget: (path) => this.#builder.forget(path),
      now,
    };
    // Events can be lost under load; a periodic sweep finds what was missed.
    this.#timer = setInterval(() => this.#sweepInPassing(), sweepInterval).unref();
  }

  get hasDatabase(): boolean {
    return this.#builder.database !== undefined;
  }

  status(): IndexStatus {
    const pending = this.notes.pending.size;
    const working = pending > 0 ? 'building' : 'ready';
    return {
      state: !this.#isSwept ? 'reading' : this.hasDatabase ? working : 'scanning',
      noteCount: this.notes.size,
      pending,
      watching: this.#watchProblem === undefined,
      problems: [this.#builder.problem, this.#watchProblem, describeTooDeep(this.tooDeep)].filter(
        (text) => text !== undefined,
      ),
    };
  }

  /** Marks a path as possibly changed; `''` means anywhere. */
  changed(path: string): void {
    if (path === '') {
      this.#sweptAt = Number.NEGATIVE_INFINITY;
      return;
    }
    const names = path.split('/');
    if (names.some(isHidden) || names.length > maximumDepth) return;
    this.#dirty.add(path);
    this.#settleTimer ??= setTimeout(() => this.#settle(), eventPause).unref();
  }

  /** Brings the table of notes up to date; called before each answer. */
  async refresh(signal?: AbortSignal): Promise<void> {
    this.#noticeNewRoot();
    const isStale = performance.now() - this.#sweptAt > staleAfter;
    const isBlind = this.#watchProblem !== undefined && isStale;
    if (isBlind || !this.#isSwept) await this.#sweep();
    this.#settle();
    signal?.throwIfAborted();
  }

  /** Asks the index; without one, or when it turns out to be corrupt, the answer is the fallback. */
  ask<T>(question: (database: IndexDatabase) => T, fallback: T): T {
    return this.#builder.ask(question, fallback);
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

  /** Pauses the building of the index until the returned handle is disposed. */
  pauseIndexing(): Disposable {
    return this.#builder.pauseIndexing();
  }

  /** Waits until the index holds every note there is. */
  async complete(): Promise<void> {
    await this.refresh();
    await this.#builder.complete();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#timer);
    clearTimeout(this.#settleTimer);
    this.#watch[Symbol.dispose]();
    await Promise.allSettled([this.#sweeping]);
    await this.#builder.stop();
    this.reader[Symbol.dispose]();
  }

  /** No event reports that the vault's folder was removed or replaced. */
  #noticeNewRoot(): void {
    const root = lstatSync(this.vault.root, { throwIfNoEntry: false })?.ino;
    if (root !== undefined && root === this.#root) return;
    this.#root = root;
    this.#watch.drop('');
    this.#sweptAt = Number.NEGATIVE_INFINITY;
  }

  get #watchProblem(): string | undefined {
    if (this.#isRemote) return remoteDisk;
    const { problem } = this.#watch;
    return problem && describeProblem(problem);
  }

  get #isSwept(): boolean {
    return this.#sweptAt > Number.NEGATIVE_INFINITY;
  }

  #sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepNow().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  /** A failure here happens again for the next caller, who gets the error. */
  #sweepInPassing(): void {
    this.#sweep().catch(() => {
      this.#sweptAt = Number.NEGATIVE_INFINITY;
    });
  }

  async #sweepNow(): Promise<void> {
    await sweepVault(this.#surroundings, this.#stopping.signal);
    this.#sweptAt = performance.now();
    this.#builder.start();
  }

  #settle(): void {
    clearTimeout(this.#settleTimer);
    this.#settleTimer = undefined;
    if (this.#stopping.signal.aborted) return;
    const paths = [...this.#dirty];
    this.#dirty.clear();
    if (paths.length > manyChanges) this.#sweepInPassing();
    else for (const path of paths) refreshPath(this.#surroundings, path);
    this.reader[Symbol.dispose]();
    if (this.#isSwept) this.#builder.start();
  }
}

const remoteDisk = 'The vault is on a network or shared disk, which does not report changes.';

function describeProblem(problem: WatchProblem): string {
  return problem.kind === 'refused'
    ? `The system does not let the vault be watched (${problem.code}).`
    : `The vault has more folders than the ${problem.limit} this system can watch.`;
}
