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

/** A block quote or list item that other blocks stand in. `from` tells two of them apart. */
export interface Container {
  readonly kind: 'quote' | 'item';
  readonly from: number;
  readonly line: number;
  /** Columns a further line must be indented to belong to the item; 0 for a quote. */
  readonly columns: number;
  readonly parent: Container | null;
}

/** Why a block is text although it looks like more: it stands in one of these. */
export type Region = 'comment' | 'math' | 'result';

export interface Heading extends Span {
  readonly level: number;
  readonly text: string;
  readonly container: Container | null;
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
  /** What it names: the block it ends, the list item whose first line it ends, or, alone, the block before. */
  readonly names: 'block' | 'item' | 'heading' | 'block-before';
  readonly line: number;
  /** Where its `^` stands, or its heading begins. */
  readonly from: number;
  /** Where its line ends. */
  readonly to: number;
  /** The first line of what it names; 0 when it stands alone with nothing before it. */
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

/** What reading a note found, before it was known what each block stands in. */
export interface ScanResume {
  readonly records: ScanRecords;
  readonly checkpoints: readonly Checkpoint[];
  /** Characters between two checkpoints, at least. */
  readonly distance: number;
}

/** What a note consists of, as far as we need to know. */
export interface NoteScan {
  readonly text: string;
  readonly lineCount: number;
  /** The line end that the note uses most. */
  readonly lineEnd: LineEnd;
  readonly frontmatter: Frontmatter | null;
  readonly headings: readonly Heading[];
  readonly fences: readonly Fence[];
  readonly blockIds: readonly BlockId[];
  readonly comments: readonly Comment[];
  readonly math: readonly Span[];
  readonly liveResults: readonly LiveResult[];
  /** What `rescan` goes on from. */
  readonly resume: ScanResume;
}
