import type { LineEnd } from '../line-end.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { ScanRecords } from './scan-records.ts';

/** A stretch of the note: offsets into its text, and lines counted from 1. */
export interface Span {
  readonly from: number;
  /** Where the last line ends, before its line end. */
  readonly to: number;
  readonly line: number;
  readonly endLine: number;
}

/** A block quote or list item that contains other blocks, identified by `from`. */
export interface Container {
  readonly kind: 'quote' | 'item';
  readonly from: number;
  readonly line: number;
  /** Columns a further line must be indented to belong to the item; 0 for a quote. */
  readonly columns: number;
  readonly parent: Container | null;
}

/** A region in which blocks are plain text. */
export type Region = 'comment' | 'math' | 'result';

export interface Heading extends Span {
  readonly level: number;
  readonly text: string;
  readonly container: Container | null;
  readonly within: Region | null;
}

/** A thematic break outside all containers. */
export interface Rule extends Span {
  readonly within: Region | null;
}

/** A fenced code block. `from` is where its marker begins, after everything its containers need. */
export interface Fence extends Span {
  readonly marker: '`' | '~';
  readonly length: number;
  /** Columns between the container's content and the marker, 0 to 3. */
  readonly indent: number;
  readonly info: string;
  readonly isClosed: boolean;
  readonly container: Container | null;
  readonly within: Region | null;
}

/** An Obsidian `^block-id`. */
export interface BlockId {
  readonly id: string;
  /** What it names: the block or the first line of a list item that it ends, or, on its own line, the block before. */
  readonly names: 'block' | 'item' | 'heading' | 'block-before';
  readonly line: number;
  /** The offset of its `^`, or of its heading. */
  readonly from: number;
  /** Where its line ends. */
  readonly to: number;
  /** The first line of what it names; 0 when there is no block before it. */
  readonly blockLine: number;
  readonly container: Container | null;
  readonly within: Region | null;
}

export interface Comment extends Span {
  readonly kind: 'obsidian' | 'html';
}

/** A result stored as live Markdown, between its two marker lines. */
export interface LiveResult extends Span {
  readonly form: 'markdown' | 'callout';
  /** The attributes in the opening comment: `req=… sum=…`. */
  readonly attributes: string;
  /** Where the opening line ends. */
  readonly headerTo: number;
  /** False when the end marker is missing; the span is then the opening line alone. */
  readonly isClosed: boolean;
  readonly container: Container | null;
}

/** The block between the two `---` lines at the very start of a note. */
export interface Frontmatter extends Span {
  readonly bodyFrom: number;
  readonly bodyTo: number;
}

/** The records of a note before regions are assigned, and where to resume. */
export interface ScanResume {
  readonly records: ScanRecords;
  readonly checkpoints: readonly Checkpoint[];
  /** Characters between two checkpoints, at least. */
  readonly distance: number;
}

/** The structure of a note. */
export interface NoteScan {
  readonly text: string;
  readonly lineCount: number;
  /** The line end that the note uses most. */
  readonly lineEnd: LineEnd;
  readonly frontmatter: Frontmatter | null;
  readonly headings: readonly Heading[];
  readonly rules: readonly Rule[];
  readonly fences: readonly Fence[];
  readonly blockIds: readonly BlockId[];
  readonly comments: readonly Comment[];
  readonly math: readonly Span[];
  readonly liveResults: readonly LiveResult[];
  /** The state that `rescan` resumes from. */
  readonly resume: ScanResume;
}
