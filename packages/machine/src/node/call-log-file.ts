import type {
  CallFilter,
  CallLog,
  CallRecord,
  LoggedCall,
  LoggedCallDetails,
  Notifier,
  Settings,
} from '@errand/host';
import { readLogDetails, readLogLine, writeLogLine } from './call-log-line.ts';
import { DailyLog } from './daily-log.ts';
import type { LogBounds } from './daily-log-files.ts';

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

/** The call log: one line of JSON for each call, in files of the vault. */
export class CallLogFile implements CallLog, AsyncDisposable {
  readonly #log: DailyLog<CallRecord>;

  constructor({ settings, redact = (text) => text, ...options }: CallLogOptions) {
    this.#log = new DailyLog({
      ...options,
      name: 'calls',
      bounds: settings,
      line: (record) => ({
        text: lineOf(record, settings().logParameters, redact),
        at: record.completedAt,
      }),
    });
  }

  append(record: CallRecord): void {
    this.#log.append(record);
  }

  async query(
    { limit = 100, server, note }: CallFilter,
    signal?: AbortSignal,
  ): Promise<readonly LoggedCall[]> {
    const calls: LoggedCall[] = [];
    for await (const line of this.#log.linesBackwards(signal)) {
      const call = readLogLine(line);
      if (call === undefined || (note !== undefined && call.note !== note)) continue;
      if (server !== undefined && call.server.toLowerCase() !== server.toLowerCase()) continue;
      if (calls.push(call) >= limit) break;
    }
    return calls.sort(newestFirst);
  }

  async find(id: string, signal?: AbortSignal): Promise<LoggedCallDetails | undefined> {
    for await (const line of this.#log.linesBackwards(signal)) {
      // Parsing every line of a large log takes seconds.
      const call = line.includes(id) ? readLogDetails(line) : undefined;
      if (call?.id.startsWith(id)) return call;
    }
    return undefined;
  }

  keepResult(callId: string, content: string | Uint8Array): Promise<string> {
    return this.#log.keepResult(callId, content);
  }

  /** Writes what was appended so far. */
  flush(): Promise<void> {
    return this.#log.flush();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#log[Symbol.asyncDispose]();
  }
}

function lineOf(
  record: CallRecord,
  withParameters: boolean,
  redact: (text: string) => string,
): string {
  try {
    return writeLogLine(record, withParameters, redact);
  } catch (error) {
    // Nested deeper than can be written, or a defect; it must not keep the calls beside it out of the log.
    const hide = error instanceof RangeError ? redact : () => '[hidden]';
    return writeLogLine({ ...record, parameters: {} }, false, hide);
  }
}

function newestFirst(a: LoggedCall, b: LoggedCall): number {
  return b.submittedAt - a.submittedAt;
}
