import type { BlockId, Comment, Container, Fence, Heading } from './note-scan.ts';

/** A line that begins with `%%` or `$$`, where a comment or a formula may open. */
interface RegionOpener {
  readonly kind: 'comment' | 'math';
  readonly from: number;
  readonly line: number;
}

/** One of the lines that enclose a live result. */
export interface ResultMarker {
  readonly kind: 'markdown' | 'callout' | 'end';
  readonly from: number;
  readonly to: number;
  readonly line: number;
  /** What the result stands in; a callout's own quote is not part of it. */
  readonly container: Container | null;
}

/** What the block phase finds, in the order of the note. */
export interface ScanRecords {
  readonly headings: Heading[];
  readonly fences: Fence[];
  readonly blockIds: BlockId[];
  readonly comments: Comment[];
  readonly openers: RegionOpener[];
  readonly markers: ResultMarker[];
}

export function emptyRecords(): ScanRecords {
  return {
    headings: [],
    fences: [],
    blockIds: [],
    comments: [],
    openers: [],
    markers: [],
  };
}
