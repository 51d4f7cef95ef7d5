import type { BlockId, Comment, Container, Fence, Heading, Rule } from './note-scan.ts';

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
  /** The container of the result; a callout's own quote does not count. */
  readonly container: Container | null;
}

/** What the block phase finds, in the order of the note. */
export interface ScanRecords {
  readonly headings: Heading[];
  readonly rules: Rule[];
  readonly fences: Fence[];
  readonly blockIds: BlockId[];
  readonly comments: Comment[];
  readonly openers: RegionOpener[];
  readonly markers: ResultMarker[];
}

export function emptyRecords(): ScanRecords {
  return {
    headings: [],
    rules: [],
    fences: [],
    blockIds: [],
    comments: [],
    openers: [],
    markers: [],
  };
}

/** The records before these counts. */
export function firstRecords(records: ScanRecords, counts: RecordCounts): ScanRecords {
  return {
    headings: records.headings.slice(0, counts.headings),
    rules: records.rules.slice(0, counts.rules),
    fences: records.fences.slice(0, counts.fences),
    blockIds: records.blockIds.slice(0, counts.blockIds),
    comments: records.comments.slice(0, counts.comments),
    openers: records.openers.slice(0, counts.openers),
    markers: records.markers.slice(0, counts.markers),
  };
}

/** The number of records of each kind. */
export type RecordCounts = Readonly<Record<keyof ScanRecords, number>>;

export function countRecords(records: ScanRecords): RecordCounts {
  return {
    headings: records.headings.length,
    rules: records.rules.length,
    fences: records.fences.length,
    blockIds: records.blockIds.length,
    comments: records.comments.length,
    openers: records.openers.length,
    markers: records.markers.length,
  };
}
