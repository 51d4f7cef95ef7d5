import type { NoteContext, TextEdit } from '@errand/document';
import type { ServerConfig, ToolDescription } from '@errand/host';

/** Edits of a note, and the selection after them, as offsets of the new text. */
export interface Insertion {
  readonly edits: readonly TextEdit[];
  readonly selection: readonly [from: number, to: number];
}

/** One row of the list that is shown while a request is typed. */
export interface Suggestion {
  readonly label: string;
  /** A few words about it, shown beside the label. */
  readonly detail: string;
  readonly description: string;
  readonly choice:
    | ({ readonly kind: 'write' } & Insertion)
    /** The tools are unknown until this server has been started. */
    | { readonly kind: 'start'; readonly serverId: string }
    /** The row only informs. */
    | { readonly kind: 'nothing' };
}

/** What the suggestions are made from; nothing is started to get it. */
export interface SuggestionContext extends NoteContext {
  readonly servers: readonly ServerConfig[];
  readonly documentPath: string;
  /** The tools of a server as far as they are known. */
  tools(serverId: string): readonly ToolDescription[];
}

/** A row that only informs. */
export function remark(label: string, description: string): Suggestion {
  return { label, detail: '', description, choice: { kind: 'nothing' } };
}
