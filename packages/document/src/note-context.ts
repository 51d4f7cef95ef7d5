import type { BindingTarget } from './sections/binding.ts';

/** A part of a note, or of all notes, whose calls go to one server; as the settings store it. */
export interface SectionBinding {
  readonly sectionType: 'heading' | 'block' | 'range';
  readonly headingText?: string;
  readonly blockId?: string;
  readonly startLine?: number;
  readonly endLine?: number;
  readonly serverId: string;
  readonly inheritToChildren: boolean;
  /** A glob of notes; without it a heading or block binding holds in every note. */
  readonly documentPath?: string;
}

/** The part of a server's settings that the document needs. */
export interface KnownServer {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly sectionBindings: readonly SectionBinding[];
}

/** A binding of the settings that is invalid. The part of the note it was meant for refuses every call. */
export interface BrokenBinding {
  /** What is wrong, and where in the settings. */
  readonly message: string;
  /** The server's name as it is written there; null when none is. */
  readonly server: string | null;
  /** Null when it is unclear which section is meant; it then applies to the whole note. */
  readonly target: BindingTarget | null;
  /** Null when it applies to every note, or it is unclear to which. */
  readonly documentPath: string | null;
}

/** A server whose entry in the settings cannot be read. Blocks that name it are requests that cannot be called. */
export interface BrokenServer {
  readonly name: string;
  /** What is wrong, and where in the settings. */
  readonly message: string;
}

/** What is known besides the text of the note. */
export interface NoteContext {
  /** In the order of the settings; the first enabled one serves `mcp` blocks. */
  readonly servers: readonly KnownServer[];
  readonly brokenBindings: readonly BrokenBinding[];
  readonly brokenServers?: readonly BrokenServer[];
  /** The note's path in the vault, with forward slashes. */
  readonly documentPath?: string;
  /** Its path in the vault when links are followed, where that is another one; bindings of both hold. */
  readonly realPath?: string;
}
