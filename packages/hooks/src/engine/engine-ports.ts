import type { Clock, Notifier, OnFault } from '@errand/host';
import type { ContextPorts } from '../definitions/context-fields.ts';
import { MCP_MAX_CONCURRENT_ACTIONS } from '../definitions/mcp-contract.ts';
import type { ParsedHooks } from '../definitions/parse-hooks.ts';
import type { ActionReach } from '../hook-chain.ts';
import type { Chain, EventSource } from '../hook-event.ts';
import type { ActionRunners, HookRun } from '../hook-run.ts';
import type { Hook } from '../hook-schema.ts';

/** Where hooks are kept. */
export interface HookSource {
  load(): Promise<ParsedHooks>;
  watch(listener: () => void): () => void;
  save(change: (hooks: readonly Hook[]) => readonly Hook[]): Promise<void>;
}

/** Whether a person agreed to what a hook does on this machine. */
export interface HookApproval {
  verdict(hook: Hook): 'trusted' | 'untrusted' | 'changed';
  /** A program of a hook begins; disposing of the answer says that it has ended. */
  beginAction?(hook: Hook): AsyncDisposable;
  /** Reads again what other programs remember. */
  refresh?(): Promise<void>;
}

/** What is known of a hook besides its definition. Times are milliseconds since 1970. */
export interface HookRecord {
  readonly lastExecutedAt?: number;
  readonly executionCount?: number;
  readonly lastRun?: { readonly id: string; readonly status: HookRun['status'] };
  /** Runs of the last hour, the oldest first. */
  readonly startedAt?: readonly number[];
  /** Since when it does not run, because it ran too often. */
  readonly pausedAt?: number;
  /** Why it cannot work as it is, for example a server that is not there any more. */
  readonly problem?: string;
}

export type HookRecords = Readonly<Record<string, HookRecord>>;

/** Where the records of hooks are kept, on this machine. */
export interface HookRecordStore {
  load(): Promise<HookRecords>;
  save(records: HookRecords): Promise<void>;
}

/** Keeps runs, redacted. */
export interface HookLog {
  append(run: HookRun): void;
  /** Runs, the newest first; each only as it ended last. */
  read(query: { readonly hookId?: string; readonly limit: number }): Promise<readonly HookRun[]>;
  /** By its id, or the beginning of it. */
  find(runId: string): Promise<HookRun | undefined>;
  /** Keeps what is too long for a line, and answers with its path in the vault. */
  keepOutput(name: string, text: string): Promise<string>;
}

export interface HookEnginePorts {
  readonly store: HookSource;
  readonly trust: HookApproval;
  readonly sources: Readonly<Record<string, EventSource>>;
  readonly runners: ActionRunners;
  readonly context: ContextPorts;
  /** Told of every action, so that what it causes is recognised. */
  readonly chains: { begin(chain: Chain, reach?: ActionReach): Disposable };
  readonly log: HookLog;
  readonly records: HookRecordStore;
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'after'>;
  readonly notifier: Notifier;
  readonly onFault: OnFault;
  readonly limits?: Partial<HookLimits>;
}

/** How much hooks may do. */
export interface HookLimits {
  /** Actions at once, of all hooks together. */
  readonly actions: number;
  /** Runs of one hook that wait. */
  readonly waiting: number;
  /** Runs, one caused by the other. */
  readonly depth: number;
  /** Milliseconds before the one retry. */
  readonly retryAfterMs: number;
}

/** The limits unless said otherwise. */
export const defaultLimits: HookLimits = {
  actions: MCP_MAX_CONCURRENT_ACTIONS,
  waiting: 100,
  depth: 10,
  retryAfterMs: 2_000,
};
