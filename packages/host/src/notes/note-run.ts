import type { BindingProblem, ToolBlock } from '@errand/document';
import type { Progress } from '../connection.ts';
import type { CallState } from '../executor/running-call.ts';
import type { ErrorInfo } from '../tool-invocation.ts';

/** How a run of a note's blocks ended; `errand run --json` prints it as it is. */
export interface NoteRun {
  readonly note: string;
  readonly changed: boolean;
  readonly results: readonly BlockRun[];
  /** Mistakes in the bindings of the note, whether or not they kept a block from running. */
  readonly problems: readonly BindingProblem[];
}

/** How one block ended. Refused and skipped blocks have nothing written below them. */
export interface BlockRun {
  readonly line: number;
  readonly server: string | null;
  readonly tool: string | null;
  readonly status: 'success' | 'error' | 'timeout' | 'cancelled' | 'skipped' | 'refused';
  readonly durationMs: number;
  readonly attempts: number;
  /** Whether the note changed by it. */
  readonly written: boolean;
  readonly error: Pick<ErrorInfo, 'code' | 'message'> | null;
}

/** What happens to a block while its note runs, for those who show it. */
export type BlockEvent =
  | { readonly kind: 'state'; readonly block: ToolBlock; readonly state: CallState }
  | { readonly kind: 'progress'; readonly block: ToolBlock; readonly progress: Progress }
  | { readonly kind: 'ended'; readonly block: ToolBlock; readonly run: BlockRun };
