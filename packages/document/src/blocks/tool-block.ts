import type { SourceMap } from '../params/source-value.ts';
import type { ResultBlock } from '../results/result-block.ts';
import type { Fence } from '../scan/note-scan.ts';
import type { BlockOptions } from './block-options.ts';

/** What the result below a request says about it. */
export type BlockState = 'new' | 'fresh' | 'stale' | 'edited' | 'failed' | 'invalid';

/** An author's mistake: what, and on which line of the note. */
export interface BlockProblem {
  readonly code:
    | 'yaml_invalid'
    | 'block_invalid'
    | 'section_forbids'
    | 'server_unknown'
    | 'settings_invalid'
    | 'note_changed';
  readonly message: string;
  /** The same with lines counted from the block's first, where it names one: text above does not change it. */
  readonly messageInBlock?: string;
  readonly line: number;
  /** The block may be none of ours, so nothing is written below it. */
  readonly isForeign?: true;
  /** How many servers there are, of a request that none was found for. */
  readonly servers?: number;
}

/** A request in a note, with the result below it. */
export interface ToolBlock {
  readonly line: number;
  readonly endLine: number;
  /** The `^block-id` below it. */
  readonly id: string | null;
  /** The server that will be asked; null when nothing says which. */
  readonly server: string | null;
  readonly tool: string | null;
  readonly params: SourceMap;
  /** The ids of the blocks above whose answers its parameters refer to; `params` holds the answers themselves. */
  readonly references: readonly string[];
  readonly options: BlockOptions;
  /** The headings above it, outermost first. */
  readonly section: readonly string[];
  /** The server its section is bound to. */
  readonly boundServer: string | null;
  readonly state: BlockState;
  /** Why the block is not a valid request; set for the state `invalid`. */
  readonly problem: BlockProblem | null;
  /** Which answer its parameters lack, so that it cannot run yet; they then stand as they were written. */
  readonly unresolved: BlockProblem | null;
  /** Why a valid request may not run: its section forbids it, no server could, or its result stands apart from it. */
  readonly refusal: BlockProblem | null;
  readonly result: ResultBlock | null;
  /** The `req` its result must carry to be fresh; null when it is invalid. */
  readonly req: string | null;
  /** The offset below which the result belongs: the end of the block id's line, or of the block. */
  readonly anchor: number;
  readonly fence: Fence;
  /** Info line and body as written, without container prefix. */
  readonly source: string;
}
