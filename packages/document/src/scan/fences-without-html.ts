import type { Fence } from './note-scan.ts';
import { readBlocks } from './read-blocks.ts';
import { firstCheckpoint } from './scan.ts';
import { emptyRecords } from './scan-records.ts';

/** The fences a text would have if no HTML block began in it, and where HTML blocks begin. */
export function findFencesWithoutHtml(text: string): {
  readonly fences: readonly Fence[];
  readonly htmlStarts: readonly number[];
} {
  const htmlStarts: number[] = [];
  const records = emptyRecords();
  readBlocks(text, firstCheckpoint(text, null), records, { distance: text.length, htmlStarts });
  return { fences: records.fences, htmlStarts };
}
