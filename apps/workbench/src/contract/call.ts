import type { Progress } from './progress.ts';
import type { Time } from './time.ts';
import type { CallContent } from './tool.ts';

export type CallSource =
  | 'user-codeblock'
  | 'ai-autonomous'
  | 'command'
  | 'gateway'
  | 'hook'
  | 'mail'
  | 'workbench';

export interface CallState {
  /** Somebody stopped all calls; new ones are refused until resumed. */
  readonly isStopped: boolean;
  /** Running first, then those that wait; each in order. */
  readonly active: readonly ActiveCall[];
  readonly sessions: readonly Session[];
}

export interface ActiveCall {
  readonly id: string;
  readonly status: 'pending' | 'executing';
  readonly source: CallSource;
  readonly server: string;
  readonly tool: string;
  readonly note: string | null;
  readonly line: number | null;
  readonly submittedAt: Time;
  readonly startedAt: Time | null;
  /** What a tool that is tried in Servers reports; blocks have theirs in `RunningBlock`. */
  readonly progress: Progress | null;
  /** Whether it was asked for here, so that it can be cancelled alone. */
  readonly isOwn: boolean;
}

export interface Session {
  readonly id: string;
  /** The note it belongs to, if any. */
  readonly note: string | null;
  /** What the conversation began with whose session it is. Neither: tools tried in Servers. */
  readonly conversation: string | null;
  readonly executed: number;
  /** -1 is unlimited. */
  readonly limit: number;
  /** `near` from 80 % on. */
  readonly level: 'ok' | 'near' | 'reached';
}

export interface ResetSession {
  readonly id: string;
}

export interface CallHistory {
  /** Newest first. */
  readonly calls: readonly PastCall[];
  readonly isCut: boolean;
}

export interface PastCall {
  readonly id: string;
  readonly source: CallSource;
  readonly server: string;
  readonly tool: string;
  readonly note: string | null;
  readonly line: number | null;
  readonly status: string;
  readonly submittedAt: Time;
  readonly durationMs: number;
  readonly attempts: number;
  /** null until the log has it: read the history again. */
  readonly resultBytes: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface CallDetails {
  readonly call: PastCall;
  /** Kept in memory for recent calls only; null for older ones. */
  readonly params: Readonly<Record<string, unknown>> | null;
  readonly content: CallContent | null;
}
