import type { NoteContext, TextEdit } from '@errand/document';
import type { ServerConfig, ToolDescription } from '@errand/host';

/** A change of a note, and what is selected after it, as offsets of the new text. */
export interface Writing {
  readonly edits: readonly TextEdit[];
  readonly selection: readonly [from: number, to: number];
}

/** What can be chosen while a request is written. */
export interface Suggestion {
  readonly label: string;
  /** What kind of thing it is, in a few words. */
  readonly detail: string;
  readonly description: string;
  readonly choice:
    | ({ readonly kind: 'write' } & Writing)
    /** Its tools are not known before it was started. */
    | { readonly kind: 'start'; readonly serverId: string }
    /** Only says something. */
    | { readonly kind: 'nothing' };
}

/** What is known when a request is written. */
export interface WritingContext extends NoteContext {
  readonly servers: readonly ServerConfig[];
  readonly documentPath: string;
  /** The tools of a server as far as they are known. */
  tools(serverId: string): readonly ToolDescription[];
}

/** A row that says something and does nothing. */
export function remark(label: string, description: string): Suggestion {
  return { label, detail: '', description, choice: { kind: 'nothing' } };
}
