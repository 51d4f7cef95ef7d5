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

/** What a note must know of a registered server. A whole settings entry fits. */
export interface KnownServer {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly sectionBindings: readonly SectionBinding[];
}

/** A binding of the settings that cannot be used. What it was meant for refuses every call. */
export interface BrokenBinding {
  /** What is wrong, and where in the settings. */
  readonly message: string;
  /** The server's name as it is written there; null when none is. */
  readonly server: string | null;
  /** Null when it cannot be told which section is meant: then it is the whole note. */
  readonly target: BindingTarget | null;
  /** Null when it holds for every note, or nobody can tell for which. */
  readonly documentPath: string | null;
}

/** What is known beside the note's own text. */
export interface NoteContext {
  /** In the order of the settings; the first enabled one serves `mcp` blocks. */
  readonly servers: readonly KnownServer[];
  readonly brokenBindings: readonly BrokenBinding[];
  /** The note's path in the vault, with forward slashes. */
  readonly documentPath?: string;
  /** Its path in the vault when links are followed, where that is another one; bindings of both hold. */
  readonly realPath?: string;
}
