import type { CallSource, CallStatus, ErrorInfo, TokenCount } from './tool-invocation.ts';

/** Remembers every call, for people who want to know what happened. */
export interface CallLog {
  /** Takes the record at once and writes it soon; never throws and never waits. */
  append(record: CallRecord): void;
  /** Newest first. */
  query(filter: CallFilter, signal?: AbortSignal): Promise<readonly LoggedCall[]>;
  /** The newest call whose id begins with this text, in full. */
  find(id: string, signal?: AbortSignal): Promise<LoggedCallDetails | undefined>;
  /** Stores a result that could not be placed in its note; returns where, relative to the vault. */
  keepResult(callId: string, content: string | Uint8Array): Promise<string>;
}

/** A finished call as the executor hands it over; what of it is stored is the log's business. */
export interface CallRecord {
  readonly id: string;
  readonly source: CallSource;
  readonly server: string;
  /** Of a read: the method and what was read, such as `resources/read note:///a.md`. */
  readonly tool: string;
  readonly note?: string;
  readonly line?: number;
  readonly section?: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly status: CallStatus;
  readonly submittedAt: number;
  readonly startedAt?: number;
  readonly completedAt: number;
  readonly attempts: readonly CallAttempt[];
  readonly resultBytes: number;
  readonly tokensUsed?: number;
  /** Whether somebody was asked, and what the answer was. */
  readonly approval?: 'given' | 'denied';
  /** Of a call that a model asked for, and of a request to a model itself. */
  readonly conversation?: string;
  /** The request of its turn, counted from 1. */
  readonly round?: number;
  /** Of the model's request; the calls of one round have them in common. */
  readonly tokens?: TokenCount;
  readonly error?: ErrorInfo;
}

/** One try of a call; `reason` says why it was not the last. */
export interface CallAttempt {
  readonly startedAt: number;
  readonly reason?: string;
}

/** A call as the log remembers it. Times are milliseconds since 1970. */
export interface LoggedCall {
  readonly id: string;
  readonly source: CallSource;
  readonly server: string;
  readonly tool: string;
  readonly note: string | null;
  readonly line: number | null;
  readonly status: CallStatus;
  readonly submittedAt: number;
  readonly durationMs: number;
  readonly attempts: number;
  readonly resultBytes: number;
  readonly error: ErrorInfo | null;
}

/** Everything the log remembers of one call. */
export interface LoggedCallDetails extends LoggedCall {
  /** The headings above its block, outermost first. */
  readonly section: readonly string[];
  readonly parameterNames: readonly string[];
  /** null unless `logParameters` was on. */
  readonly parameters: Readonly<Record<string, unknown>> | null;
  /** Why the attempts before the last one failed. */
  readonly retryReasons: readonly string[];
  readonly approval: 'given' | 'denied' | null;
  readonly conversation: string | null;
  /** The last lines that its server wrote, of a call that failed because of the server. */
  readonly lastOutput: string | null;
}

export interface CallFilter {
  readonly limit?: number;
  readonly server?: string;
  readonly note?: string;
}
