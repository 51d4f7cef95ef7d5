import { lastIndex } from '../last-index.ts';
import { isResultFence } from '../results/find-result.ts';
import { lineEndBefore, lineStart } from '../scan/lines.ts';
import type { NoteScan } from '../scan/note-scan.ts';

/**
 * Numbers the lines of a note as if its results were not there, so that writing one moves no line range.
 * A result takes the blank lines above it along; a line in it has the number of the last line before it.
 */
export function countedLines(scan: NoteScan): (line: number) => number {
  const results = [
    ...scan.fences.filter((fence) => fence.within === null && isResultFence(fence)),
    ...scan.liveResults,
  ].sort((a, b) => a.from - b.from);
  const gaps: { first: number; last: number; before: number }[] = [];
  let before = 0;
  for (const { line, endLine, from } of results) {
    const first = line - blankLinesAbove(scan.text, from);
    gaps.push({ first, last: endLine, before });
    before += endLine - first + 1;
  }
  return (line) => {
    const gap = gaps[lastIndex(gaps, ({ first }) => first <= line)];
    return gap === undefined
      ? line
      : line - gap.before - (Math.min(gap.last, line) - gap.first + 1);
  };
}

function blankLinesAbove(text: string, at: number): number {
  let count = 0;
  for (let start = lineStart(text, at); start > 0; count++) {
    const end = lineEndBefore(text, start);
    start = lineStart(text, end);
    if (!/^[ \t>]*$/.test(text.slice(start, end))) break;
  }
  return count;
}
