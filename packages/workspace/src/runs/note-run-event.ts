import type { BlockOutcome, CallState, Progress } from '@errand/host';

/** A block that waits or runs. */
export interface RunningBlock {
  readonly status: 'pending' | 'executing';
  readonly waitingFor: NonNullable<CallState['waitingFor']> | null;
  /** When it was asked for. */
  readonly since: number;
  /** When the server got the call. */
  readonly startedAt: number | null;
  readonly progress: Progress | null;
}

/** What happens to the runs of a note. */
export type NoteRunEvent =
  | {
      readonly kind: 'run-started';
      readonly path: string;
      readonly runId: string;
      readonly keys: readonly string[];
    }
  /** `run` while the block waits or runs, `outcome` when it ended; neither when its run failed. */
  | {
      readonly kind: 'block-changed';
      readonly path: string;
      readonly key: string;
      readonly run: RunningBlock | null;
      readonly outcome: BlockOutcome | null;
    }
  /** `error` is what kept the run from being made or finished, such as a note that cannot be written. */
  | {
      readonly kind: 'run-ended';
      readonly path: string;
      readonly runId: string;
      readonly outcomes: ReadonlyMap<string, BlockOutcome>;
      readonly error: unknown;
    };
