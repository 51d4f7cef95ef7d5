import type { NoteScan } from '../scan/note-scan.ts';
import { resultGaps } from './result-gaps.ts';

/**
 * The text of a note, from a place on, as if no block in it had ever run. A result that has lost its end
 * stays, lest it take other text along.
 */
export function withoutResults(scan: NoteScan, start = 0): string {
  const parts: string[] = [];
  let at = start;
  for (const { from, to, isClosed } of resultGaps(scan)) {
    if (!isClosed || from < at) continue;
    parts.push(scan.text.slice(at, from));
    at = to;
  }
  parts.push(scan.text.slice(at));
  return parts.join('');
}
