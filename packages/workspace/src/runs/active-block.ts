import type { BlockOutcome, CallState } from '@errand/host';
import type { RunningBlock } from './note-run-event.ts';

/** A block from the moment it was asked for until its run ended. */
export class ActiveBlock {
  readonly id = crypto.randomUUID();
  readonly key: string;
  readonly isOneOfMany: boolean;
  readonly controller = new AbortController();
  readonly outcome = Promise.withResolvers<BlockOutcome>();
  path: string;
  requestId: string | undefined;
  run: RunningBlock = {
    status: 'pending',
    waitingFor: null,
    since: Date.now(),
    startedAt: null,
    progress: null,
  };

  constructor(path: string, key: string, isOneOfMany: boolean) {
    this.path = path;
    this.key = key;
    this.isOneOfMany = isOneOfMany;
    // Not everybody who starts a run waits for the outcomes of its blocks.
    this.outcome.promise.catch(() => {});
  }

  /** Returns whether the block still waits or runs. */
  enter({ status, waitingFor }: CallState): boolean {
    if (status !== 'pending' && status !== 'executing') return false;
    const startedAt = status === 'executing' ? (this.run.startedAt ?? Date.now()) : null;
    this.run = { ...this.run, status, waitingFor: waitingFor ?? null, startedAt };
    return true;
  }
}
