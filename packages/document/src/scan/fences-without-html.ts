import type { Fence } from './note-scan.ts';
import { readBlocks } from './read-blocks.ts';
import { firstCheckpoint } from './scan.ts';
import { emptyRecords } from './scan-records.ts';

/** The fences a text would have if each `<` that begins an HTML block were a plain character, and those. */
export function findFencesWithoutHtml(text: string): {
  readonly fences: readonly Fence[];
  readonly htmlStarts: readonly number[];
} {
  const htmlStarts: number[] = [];
  const records = emptyRecords();
  readBlocks(text, firstCheckpoint(text, null), records, { distance: text.length, htmlStarts });
  return { fences: records.fences, htmlStarts };
}
