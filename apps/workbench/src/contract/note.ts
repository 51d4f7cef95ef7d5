import type { ToolBlock } from '@errand/document';
import type { BlockOutcome } from '@errand/host';
import type { BlockProblem } from '@errand/workspace/cards';
import type { RunningBlock } from '@errand/workspace/runs';
import type { Session } from './call.ts';
import type { Failure } from './failure.ts';

export interface Note extends NoteReading {
  readonly path: string;
  /** The version of this text; to be sent with every change made from it. */
  readonly etag: string;
  readonly text: string;
  /** What the call limit counts (D6): the calls of this note since the program was started or the count was reset. */
  readonly session: Session;
}

/** The blocks, sections and mistakes in a text. */
export interface NoteReading {
  readonly blocks: readonly Block[];
  readonly sections: readonly Section[];
  /** Mistakes in the bindings. */
  readonly problems: readonly { readonly message: string; readonly line: number | null }[];
}

export interface Block {
  /** The same for the same request, wherever it moves in the note; events and bodies name a block by it. */
  readonly key: string;
  readonly line: number;
  readonly endLine: number;
  /** Its `^id`. */
  readonly id: string | null;
  readonly server: string | null;
  /** The first word of its fence: the name of a server, nearly one, or `mcp`. */
  readonly language: string;
  readonly tool: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  readonly display: 'inline' | 'block' | 'collapsed' | null;
  readonly section: readonly string[];
  readonly boundServer: string | null;
  readonly state: ToolBlock['state'];
  /** Why it will not run: a mistake, or a section that forbids it. */
  readonly problem: BlockProblem | null;
  /** Parameters that do not fit the tool, as far as its schema is known; a call would fail. */
  readonly mistakes: readonly BlockProblem[];
  readonly result: Result | null;
  /** Set while it waits or runs. */
  readonly run: RunningBlock | null;
}

export interface Result {
  readonly status: 'success' | 'error';
  readonly type: 'text' | 'json' | 'markdown' | 'image' | null;
  /** `fence`: text between fences. `markdown` and `callout`: live Markdown in the note. */
  readonly form: 'fence' | 'markdown' | 'callout';
  readonly code: string | null;
  readonly line: number;
  readonly endLine: number;
  readonly payload: string;
  readonly isEdited: boolean;
}

/** How a block's run ended. */
export interface BlockEnd extends Omit<BlockOutcome, 'server' | 'tool' | 'error'> {
  readonly key: string;
  readonly error: Pick<Failure, 'code' | 'message' | 'advice'> | null;
}

export interface Section {
  readonly kind: 'note' | 'heading' | 'block' | 'lines';
  /** `note`, `## Weather`, `^w1`, `lines 10 to 40`. */
  readonly title: string;
  readonly path: readonly string[];
  readonly line: number;
  readonly endLine: number;
  /** The server it is bound to; null when any may be asked, or none (see `isRefused`). */
  readonly server: string | null;
  readonly isRefused: boolean;
  /** The heading that its binding is inherited from, or `note` for the whole note. */
  readonly inheritedFrom: string | null;
  /** Where the binding is stored: `frontmatter` can be changed here, `settings` may apply to other notes too. */
  readonly origin: 'frontmatter' | 'settings' | null;
  /** Why it has that server, or none: `inherited from # Weather`; null where any server may be called. */
  readonly why: string | null;
  readonly isServerDisabled: boolean;
  /** `## Weather -> weather (frontmatter line 4)` */
  readonly explanation: string;
  /** The line to bind it by; null when this part cannot be bound from here. */
  readonly bindLine: number | null;
}
