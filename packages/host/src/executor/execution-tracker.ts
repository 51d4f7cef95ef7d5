import type { ToolInvocationRequest } from '../tool-invocation.ts';

/** A call that waits or runs. */
export interface ActiveExecution {
  readonly request: ToolInvocationRequest;
  readonly submittedAt: number;
  /** When it left the queue. */
  readonly startedAt?: number;
}

/** What runs, what ran, and whether more may run. */
export interface ExecutionTracker {
  readonly concurrentLimit: number;
  readonly sessionLimit: number;
  readonly activeExecutions: ReadonlySet<string>;
  readonly totalExecuted: number;
  readonly stopped: boolean;
  /** Newest last, bounded. */
  readonly executionHistory: readonly ExecutionRecord[];
}

export interface ExecutionRecord {
  readonly requestId: string;
  readonly serverId: string;
  readonly toolName: string;
  readonly timestamp: number;
  readonly duration: number;
  readonly status: 'success' | 'error';
}

/** Whether a call would run at once: not stopped, limits not reached. */
export function canExecute(tracker: ExecutionTracker): boolean {
  const { stopped, sessionLimit, totalExecuted, activeExecutions, concurrentLimit } = tracker;
  if (stopped) return false;
  if (sessionLimit !== -1 && totalExecuted >= sessionLimit) return false;
  return concurrentLimit === -1 || activeExecutions.size < concurrentLimit;
}
