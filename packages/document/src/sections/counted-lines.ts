import { lastIndex } from '../last-index.ts';
import { resultGaps } from '../results/result-gaps.ts';
import type { NoteScan } from '../scan/note-scan.ts';

/**
 * Numbers the lines of a note as if its results were not there, so that writing one moves no line range.
 * A result takes the blank lines above it along; a line in it has the number of the last line before it.
 */
export function countedLines(scan: NoteScan): (line: number) => number {
  const gaps: { first: number; last: number; before: number }[] = [];
  let before = 0;
  for (const { line, endLine } of resultGaps(scan)) {
    gaps.push({ first: line, last: endLine, before });
    before += endLine - line + 1;
  }
  return (line) => {
    const gap = gaps[lastIndex(gaps, ({ first }) => first <= line)];
    return gap === undefined
      ? line
      : line - gap.before - (Math.min(gap.last, line) - gap.first + 1);
  };
}
