import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
// The global ones are a browser's in an Electron renderer.
import { clearTimeout, setTimeout } from 'node:timers';
import type { CallFilter, CallLog, CallRecord, LoggedCall } from '../call-log.ts';
import type { Notifier } from '../notifier.ts';
import type { Settings } from '../settings.ts';
import { type LogBounds, logFileName, logFiles, pruneLog } from './call-log-files.ts';
import { readLogLine, writeLogLine } from './call-log-line.ts';
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
 * whole batches of lines are appended, and readers skip what is torn.
 */
export class CallLogFile implements CallLog, AsyncDisposable {
  readonly #options: CallLogOptions;
  readonly #folder: string;
  readonly #now: () => number;
  readonly #writeAtExit = () => this.#flushAtExit();
  #pending: CallRecord[] = [];
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #prunedAt = 0;
  #hasComplained = false;

  constructor(options: CallLogOptions) {
    this.#options = options;
    this.#folder = join(options.vault, '.errand', 'log');
    this.#now = options.now ?? Date.now;
    process.on('exit', this.#writeAtExit);
  }

  append(record: CallRecord): void {
    this.#pending.push(record);
    // While the disk refuses, the newest calls are kept for when it no longer does.
    if (this.#pending.length > mostPending) this.#pending.shift();
    this.#timer ??= setTimeout(() => void this.flush(), collectFor).unref();
  }

  async query(
    { limit = 100, server, note }: CallFilter,
    signal?: AbortSignal,
  ): Promise<readonly LoggedCall[]> {
    await this.flush();
    const calls: LoggedCall[] = [];
    for (const name of await logFiles(this.#folder)) {
      await using file = await open(join(this.#folder, name));
      for await (const line of readLinesBackwards(file)) {
        signal?.throwIfAborted();
        const call = readLogLine(line);
        if (call === undefined || (note !== undefined && call.note !== note)) continue;
        if (server !== undefined && call.server.toLowerCase() !== server.toLowerCase()) continue;
        if (calls.push(call) >= limit) return calls.sort(newestFirst);
      }
    }
    return calls.sort(newestFirst);
  }

  async keepResult(callId: string, content: string | Uint8Array): Promise<string> {
    // An id comes from a caller; only a harmless one may name a file.
    const isHarmless = /^[\w-]{1,100}$/.test(callId);
    const name = isHarmless ? callId : createHash('sha256').update(callId).digest('hex');
    await mkdir(join(this.#folder, 'results'), { recursive: true, mode: 0o700 });
    await writeFile(join(this.#folder, 'results', name), content, { mode: 0o600 });
    return `.errand/log/results/${name}`;
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
    try {
      await mkdir(this.#folder, { recursive: true });
      for (const [name, text] of this.#batches(records)) {
        await appendLines(join(this.#folder, name), text);
      }
      await this.#prune();
      this.#hasComplained = false;
    } catch (error) {
      this.#pending = [...records, ...this.#pending].slice(-mostPending);
      this.#complain(error);
    }
  }

  async #prune(): Promise<void> {
    const now = this.#now();
    if (now - this.#prunedAt < pruneEvery) return;
    this.#prunedAt = now;
    await pruneLog(this.#folder, this.#options.settings(), now);
  }

  /** The lines by the file they belong into. */
  #batches(records: readonly CallRecord[]): ReadonlyMap<string, string> {
    const batches = new Map<string, string>();
    for (const record of records) {
      const name = logFileName(record.completedAt);
      batches.set(name, (batches.get(name) ?? '') + this.#line(record));
    }
    return batches;
  }

  #line(record: CallRecord): string {
    const { settings, redact = (text) => text } = this.#options;
    const { logParameters } = settings();
    try {
      return writeLogLine(record, logParameters, redact);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // Nested deeper than can be written; it must not keep the calls beside it out of the log.
      return writeLogLine({ ...record, parameters: {} }, logParameters, redact);
    }
  }

  #flushAtExit(): void {
    try {
      if (this.#pending.length === 0) return;
      mkdirSync(this.#folder, { recursive: true });
      for (const [name, text] of this.#batches(this.#pending)) {
        appendFileSync(join(this.#folder, name), text, { mode: 0o600 });
      }
    } catch {
      // The program is ending; there is nobody left to tell.
    }
  }

  #complain(error: unknown): void {
    if (this.#hasComplained) return;
    this.#hasComplained = true;
    this.#options.notifier.notify({
      level: 'warning',
      message: 'The call log cannot be written. Calls go on without being recorded.',
      detail: error instanceof Error ? error.message : String(error),
    });
  }
}

const collectFor = 100;
const mostPending = 10_000;
const pruneEvery = 60_000;

/** Appends whole lines with one write, after the end of a line that somebody left torn. */
async function appendLines(path: string, text: string): Promise<void> {
  await using file = await open(path, 'a+', 0o600);
  const { size } = await file.stat();
  const last = Buffer.alloc(1);
  if (size > 0) await file.read(last, 0, 1, size - 1);
  const bytes = Buffer.from(size > 0 && last[0] !== 10 ? `\n${text}` : text);
  const { bytesWritten } = await file.write(bytes);
  if (bytesWritten < bytes.length) throw new Error(`${path}: the disk is full.`);
}

function newestFirst(a: LoggedCall, b: LoggedCall): number {
  return b.submittedAt - a.submittedAt;
}
