import { createHash } from 'node:crypto';
import { closeSync, constants, writeFileSync } from 'node:fs';
// The global ones are a browser's in an Electron renderer.
import { clearTimeout, setTimeout } from 'node:timers';
import {
  FilesError,
  openFileIn,
  openFileInSync,
  removeIfExists,
  systemReason,
} from '@errand/files';
import type { Notifier } from '@errand/host';
import { catchFaults, describeFault } from '@errand/host';
import {
  appendLines,
  findLogFolder,
  type LogBounds,
  type LogFolder,
  type LogName,
  logFileName,
  logFiles,
  logPaths,
  makeLogFolder,
  pruneLog,
  pruneResults,
  resultName,
} from './daily-log-files.ts';
import { readLinesBackwards } from './read-lines-backwards.ts';

export interface DailyLogOptions<Entry> {
  /** The vault's folder. */
  readonly vault: string;
  /** What the names of the files begin with. */
  readonly name: LogName;
  /** Asked at every write, since settings change. */
  readonly bounds: () => LogBounds;
  readonly notifier: Notifier;
  /** An entry as a line of JSON, without anything secret, and when it belongs into the log. */
  readonly line: (entry: Entry) => { readonly text: string; readonly at: number };
  readonly now?: () => number;
}

/**
 * A log as files in the vault, one for each day, one line of JSON for each entry. Several programs may write at once:
 * whole batches of lines are appended, and readers skip what is torn. A vault may come from a stranger: no
 * link below it is followed, and nothing is removed but plain files of our own names.
 */
export class DailyLog<Entry> implements AsyncDisposable {
  readonly #options: DailyLogOptions<Entry>;
  readonly #now: () => number;
  readonly #writeAtExit = () => this.#flushAtExit();
  #pending: Entry[] = [];
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #prunedAt = 0;
  /** Problems already reported; each is reported once while it lasts. */
  readonly #complaints = new Set<string>();

  constructor(options: DailyLogOptions<Entry>) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    process.on('exit', this.#writeAtExit);
  }

  append(entry: Entry): void {
    this.#pending.push(entry);
    // While the disk refuses, the newest entries are kept for when it no longer does.
    if (this.#pending.length > maxPending) this.#pending.shift();
    this.#timer ??= setTimeout(() => void this.flush(), collectFor).unref();
  }

  /** Keeps what is too long for a line in a file of its own, and answers with its path in the vault. */
  async keepResult(id: string, content: string | Uint8Array): Promise<string> {
    // An id comes from a caller; only a harmless one may name a file.
    const isHarmless = resultName.test(id);
    const name = isHarmless ? id : createHash('sha256').update(id).digest('hex');
    try {
      using results = makeLogFolder(this.#options.vault, 'results');
      // Never into a file that is there already: it may have a second name elsewhere.
      removeIfExists(results.folder.at(name));
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
      await using file = await openFileIn({ ...results, name }, flags, 0o600);
      await file.writeFile(content);
    } catch (cause) {
      throw cause instanceof Error ? new Error(systemReason(cause), { cause }) : cause;
    }
    return [...logPaths.results, name].join('/');
  }

  /** Writes what was appended so far. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** The lines of the log from the last one back to the first. */
  async *linesBackwards(signal?: AbortSignal): AsyncGenerator<string> {
    await this.flush();
    using log = this.#readable();
    if (log === undefined) return;
    for (const name of logFiles(log.folder, this.#options.name)) {
      await using file = await openFileIn({ ...log, name }, constants.O_RDONLY);
      for await (const line of readLinesBackwards(file)) {
        signal?.throwIfAborted();
        yield line;
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
    process.off('exit', this.#writeAtExit);
  }

  async #write(): Promise<void> {
    const entries = this.#pending;
    if (entries.length === 0) return;
    this.#pending = [];
    const unwritten = new Set(entries);
    try {
      using log = makeLogFolder(this.#options.vault, 'lines');
      for (const [name, batch] of this.#batches(entries)) {
        await using file = await openFileIn({ ...log, name }, appending, 0o600);
        const written = await appendLines(file, batch.lines);
        for (const entry of batch.entries.slice(0, written)) unwritten.delete(entry);
        if (written < batch.lines.length) throw new Error('The disk is full.');
      }
      this.#complaints.delete('write');
    } catch (error) {
      this.#pending = [...unwritten, ...this.#pending].slice(-maxPending);
      this.#complain('write', error);
      return;
    }
    this.#prune();
  }

  #prune(): void {
    const now = this.#now();
    if (now - this.#prunedAt < pruneEvery) return;
    this.#prunedAt = now;
    try {
      const { vault, name } = this.#options;
      const bounds = this.#options.bounds();
      using log = findLogFolder(vault, 'lines');
      if (log !== undefined) pruneLog(log.folder, name, bounds, now);
      using results = findLogFolder(vault, 'results');
      if (results !== undefined) pruneResults(results.folder, bounds, now);
      this.#complaints.delete('prune');
    } catch (error) {
      this.#complain('prune', error);
    }
  }

  #readable(): LogFolder | undefined {
    try {
      return findLogFolder(this.#options.vault, 'lines');
    } catch (error) {
      if (!(error instanceof FilesError)) throw error;
      this.#complain('read', error);
      return undefined;
    }
  }

  /** The entries and their lines by the file they belong into. */
  #batches(entries: readonly Entry[]): ReadonlyMap<string, Batch<Entry>> {
    const batches = new Map<string, Batch<Entry>>();
    for (const entry of entries) {
      const { text, at } = this.#options.line(entry);
      const name = logFileName(this.#options.name, at);
      const batch = batches.get(name) ?? { entries: [], lines: [] };
      batch.entries.push(entry);
      batch.lines.push(text);
      batches.set(name, batch);
    }
    return batches;
  }

  #flushAtExit(): void {
    try {
      if (this.#pending.length === 0) return;
      using log = makeLogFolder(this.#options.vault, 'lines');
      for (const [name, { lines }] of this.#batches(this.#pending)) {
        const { descriptor } = openFileInSync({ ...log, name }, appending, 0o600);
        writeFileSync(descriptor, lines.join(''));
        closeSync(descriptor);
      }
    } catch {
      // The program is ending; there is nobody left to tell.
    }
  }

  #complain(problem: keyof (typeof complaints)['calls'], error: unknown): void {
    if (this.#complaints.has(problem)) return;
    this.#complaints.add(problem);
    const detail = error instanceof Error ? systemReason(error) : describeFault(error);
    const { notifier, name } = this.#options;
    const message = complaints[name][problem];
    // Logging continues even when the notice fails.
    catchFaults(
      () => notifier.notify({ level: 'warning', message, detail }),
      () => undefined,
    )();
  }
}

interface Batch<Entry> {
  readonly entries: Entry[];
  readonly lines: string[];
}

const complaints = {
  calls: {
    write: 'The call log cannot be written. Calls go on without being recorded.',
    read: 'The call log cannot be read.',
    prune: 'Old entries of the call log cannot be removed.',
  },
  hooks: {
    write: 'The log of hooks cannot be written. Hooks go on without being recorded.',
    read: 'The log of hooks cannot be read.',
    prune: 'Old entries of the log of hooks cannot be removed.',
  },
} as const satisfies Record<LogName, Record<string, string>>;

const collectFor = 100;
const maxPending = 10_000;
const pruneEvery = 60_000;
const appending = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
