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

/** What is known beside the note's own text. */
export interface NoteContext {
  /** In the order of the settings; the first enabled one serves `mcp` blocks. */
  readonly servers: readonly KnownServer[];
  /** The note's path in the vault, with forward slashes. */
  readonly documentPath?: string;
}
