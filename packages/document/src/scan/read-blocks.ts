import { BlockParser } from './block-parser.ts';
import type { Checkpoint } from './checkpoint.ts';
import { LineEnds } from './line-ends.ts';
import type { ScanRecords } from './scan-records.ts';

/** The outcome of reading a text or a part of it. */
interface BlocksRead {
  readonly checkpoints: Checkpoint[];
  /** The number of the last line read. */
  readonly lastLine: number;
  /** The known checkpoint at which reading stopped; null when the rest was read to its end. */
  readonly met: Checkpoint | null;
}

interface ReadOptions {
  /** Characters between two checkpoints, at least. */
  readonly distance: number;
  /** Checkpoints of an earlier reading, at any of which this one may end. */
  readonly known?: readonly Checkpoint[];
  /** Takes the places where HTML blocks would begin; reading then goes on as if none did. */
  readonly htmlStarts?: number[] | null;
}

/**
 * Reads a text from a checkpoint to its end, or to the first of the known checkpoints that stands as it
 * did, and adds what it finds to `records`.
 */
export function readBlocks(
  text: string,
  from: Checkpoint,
  records: ScanRecords,
  { distance, known = [], htmlStarts = null }: ReadOptions,
): BlocksRead {
  const parser = new BlockParser(text, from, records, htmlStarts);
  const lineEnds = new LineEnds(text);
  const checkpoints: Checkpoint[] = [];
  let nextCheckpoint = from.position;
  let nextKnown = 0;
  while (parser.position < text.length) {
    for (let old = known[nextKnown]; old !== undefined; old = known[++nextKnown]) {
      if (old.position > parser.position) break;
      if (parser.isAt(old)) return { checkpoints, lastLine: parser.line - 1, met: old };
    }
    if (parser.position >= nextCheckpoint) {
      const checkpoint = parser.checkpoint();
      if (checkpoint !== null) checkpoints.push(checkpoint);
      nextCheckpoint = parser.position + distance;
    }
    const end = lineEnds.next(parser.position);
    parser.readLine(end, lineEnds.after(end));
  }
  parser.finish();
  return { checkpoints, lastLine: parser.line - 1, met: null };
}
