import type { BindingProblem, ToolBlock } from '@errand/document';
import type { Progress } from '../connection.ts';
import type { CallState } from '../executor/running-call.ts';
import type { ErrorInfo } from '../tool-invocation.ts';

/** How a run of a note's blocks ended; `errand run --json` prints it unchanged. */
export interface NoteRun {
  readonly note: string;
  readonly changed: boolean;
  readonly results: readonly BlockOutcome[];
  /** Mistakes in the bindings of the note, whether or not they kept a block from running. */
  readonly problems: readonly BindingProblem[];
}

/** How the run of one block ended. Refused and skipped blocks have nothing written below them. */
export interface BlockOutcome {
  readonly line: number;
  readonly server: string | null;
  /** The language of its fence; there when no server is. */
  readonly language?: string;
  readonly tool: string | null;
  readonly status: 'success' | 'error' | 'timeout' | 'cancelled' | 'skipped' | 'refused';
  readonly durationMs: number;
  readonly attempts: number;
  /** Whether the note changed by it. */
  readonly written: boolean;
  readonly error:
    | (Pick<ErrorInfo, 'code' | 'message' | 'advice'> & {
        /** The last lines that its server wrote. */
        readonly lastOutput?: string;
      })
    | null;
}

/** Progress of one block while its note runs. `called` names the call just before the host gets it. */
export type BlockEvent =
  | { readonly kind: 'called'; readonly block: ToolBlock; readonly requestId: string }
  | { readonly kind: 'state'; readonly block: ToolBlock; readonly state: CallState }
  | { readonly kind: 'progress'; readonly block: ToolBlock; readonly progress: Progress }
  | { readonly kind: 'ended'; readonly block: ToolBlock; readonly outcome: BlockOutcome };
