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
import type {
  CallFilter,
  CallLog,
  CallRecord,
  LoggedCall,
  LoggedCallDetails,
  Notifier,
  Settings,
} from '@errand/host';
import { catchFaults, describeFault } from '@errand/host';
import {
  appendLines,
  findLogFolder,
  type LogBounds,
  type LogFolder,
  logFileName,
  logFiles,
  logPaths,
  makeLogFolder,
  pruneLog,
  pruneResults,
  resultName,
} from './call-log-files.ts';
import { readLogDetails, readLogLine, writeLogLine } from './call-log-line.ts';
import { readLinesBackwards } from './read-lines-backwards.ts';

export interface CallLogOptions {
  /** The vault's folder. */
  readonly vault: string;
  /** Asked at every write, since settings change. */
  readonly settings: () => LogBounds & Pick<Settings, 'logParameters'>;
  readonly notifier: Notifier;
  /** Takes the values of known secrets out of a text. */
  readonly redact?: (text: string) => string;
  readonly now?: () => number;
}

/**
 * The call log as files, one for each day, one line of JSON for each call. Several programs may write at once:
 * whole batches of lines are appended, and readers skip what is torn. A vault may come from a stranger: no
 * link below it is followed, and nothing is removed but plain files of our own names.
 */
export class CallLogFile implements CallLog, AsyncDisposable {
  readonly #options: CallLogOptions;
  readonly #now: () => number;
  readonly #writeAtExit = () => this.#flushAtExit();
  #pending: CallRecord[] = [];
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #prunedAt = 0;
  /** Problems already reported; each is reported once while it lasts. */
  readonly #complaints = new Set<string>();

  constructor(options: CallLogOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    process.on('exit', this.#writeAtExit);
  }

  append(record: CallRecord): void {
    this.#pending.push(record);
    // While the disk refuses, the newest calls are kept for when it no longer does.
    if (this.#pending.length > maxPending) this.#pending.shift();
    this.#timer ??= setTimeout(() => void this.flush(), collectFor).unref();
  }

  async query(
    { limit = 100, server, note }: CallFilter,
    signal?: AbortSignal,
  ): Promise<readonly LoggedCall[]> {
    const calls: LoggedCall[] = [];
    for await (const line of this.#linesBackwards(signal)) {
      const call = readLogLine(line);
      if (call === undefined || (note !== undefined && call.note !== note)) continue;
      if (server !== undefined && call.server.toLowerCase() !== server.toLowerCase()) continue;
      if (calls.push(call) >= limit) break;
    }
    return calls.sort(newestFirst);
  }

  async find(id: string, signal?: AbortSignal): Promise<LoggedCallDetails | undefined> {
    for await (const line of this.#linesBackwards(signal)) {
      // Parsing every line of a large log takes seconds.
      const call = line.includes(id) ? readLogDetails(line) : undefined;
      if (call?.id.startsWith(id)) return call;
    }
    return undefined;
  }

  async keepResult(callId: string, content: string | Uint8Array): Promise<string> {
    // An id comes from a caller; only a harmless one may name a file.
    const isHarmless = resultName.test(callId);
    const name = isHarmless ? callId : createHash('sha256').update(callId).digest('hex');
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
    process.off('exit', this.#writeAtExit);
  }

  async #write(): Promise<void> {
    const records = this.#pending;
    if (records.length === 0) return;
    this.#pending = [];
    const unwritten = new Set(records);
    try {
      using log = makeLogFolder(this.#options.vault, 'calls');
      for (const [name, batch] of this.#batches(records)) {
        await using file = await openFileIn({ ...log, name }, appending, 0o600);
        const written = await appendLines(file, batch.lines);
        for (const record of batch.records.slice(0, written)) unwritten.delete(record);
        if (written < batch.lines.length) throw new Error('The disk is full.');
      }
      this.#complaints.delete(complaints.write);
    } catch (error) {
      this.#pending = [...unwritten, ...this.#pending].slice(-maxPending);
      this.#complain(complaints.write, error);
      return;
    }
    this.#prune();
  }

  #prune(): void {
    const now = this.#now();
    if (now - this.#prunedAt < pruneEvery) return;
    this.#prunedAt = now;
    try {
      const bounds = this.#options.settings();
      using log = findLogFolder(this.#options.vault, 'calls');
      if (log !== undefined) pruneLog(log.folder, bounds, now);
      using results = findLogFolder(this.#options.vault, 'results');
      if (results !== undefined) pruneResults(results.folder, bounds, now);
      this.#complaints.delete(complaints.prune);
    } catch (error) {
      this.#complain(complaints.prune, error);
    }
  }

  /** The lines of the log from the last one back to the first. */
  async *#linesBackwards(signal?: AbortSignal): AsyncGenerator<string> {
    await this.flush();
    using log = this.#readable();
    if (log === undefined) return;
    for (const name of logFiles(log.folder)) {
      await using file = await openFileIn({ ...log, name }, constants.O_RDONLY);
      for await (const line of readLinesBackwards(file)) {
        signal?.throwIfAborted();
        yield line;
      }
    }
  }

  #readable(): LogFolder | undefined {
    try {
      return findLogFolder(this.#options.vault, 'calls');
    } catch (error) {
      if (!(error instanceof FilesError)) throw error;
      this.#complain(complaints.read, error);
      return undefined;
    }
  }

  /** The calls and their lines by the file they belong into. */
  #batches(records: readonly CallRecord[]): ReadonlyMap<string, Batch> {
    const batches = new Map<string, Batch>();
    for (const record of records) {
      const name = logFileName(record.completedAt);
      const batch = batches.get(name) ?? { records: [], lines: [] };
      batch.records.push(record);
      batch.lines.push(this.#line(record));
      batches.set(name, batch);
    }
    return batches;
  }

  #line(record: CallRecord): string {
    const { settings, redact = (text) => text } = this.#options;
    const { logParameters } = settings();
    try {
      return writeLogLine(record, logParameters, redact);
    } catch (error) {
      // Nested deeper than can be written, or a defect; it must not keep the calls beside it out of the log.
      const hide = error instanceof RangeError ? redact : () => '[hidden]';
      return writeLogLine({ ...record, parameters: {} }, false, hide);
    }
  }

  #flushAtExit(): void {
    try {
      if (this.#pending.length === 0) return;
      using log = makeLogFolder(this.#options.vault, 'calls');
      for (const [name, { lines }] of this.#batches(this.#pending)) {
        const { descriptor } = openFileInSync({ ...log, name }, appending, 0o600);
        writeFileSync(descriptor, lines.join(''));
        closeSync(descriptor);
      }
    } catch {
      // The program is ending; there is nobody left to tell.
    }
  }

  #complain(message: string, error: unknown): void {
    if (this.#complaints.has(message)) return;
    this.#complaints.add(message);
    const detail = error instanceof Error ? systemReason(error) : describeFault(error);
    const { notifier } = this.#options;
    // Logging continues even when the notice fails.
    catchFaults(
      () => notifier.notify({ level: 'warning', message, detail }),
      () => undefined,
    )();
  }
}

interface Batch {
  readonly records: CallRecord[];
  readonly lines: string[];
}

const complaints = {
  write: 'The call log cannot be written. Calls go on without being recorded.',
  read: 'The call log cannot be read.',
  prune: 'Old entries of the call log cannot be removed.',
} as const;

const collectFor = 100;
const maxPending = 10_000;
const pruneEvery = 60_000;
const appending = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;

function newestFirst(a: LoggedCall, b: LoggedCall): number {
  return b.submittedAt - a.submittedAt;
}
