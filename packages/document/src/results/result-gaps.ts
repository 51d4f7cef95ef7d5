import { lineEndBefore, lineStart } from '../scan/lines.ts';
import type { NoteScan, Span } from '../scan/note-scan.ts';
import { isResultFence } from './find-result.ts';

/** What results added to a note: each result with the blank lines above it. */
interface ResultGap extends Span {
  /** False for a result without an end marker, whose extent is unknown. */
  readonly isClosed: boolean;
}

/** The gaps that taking the results out of a note would close, in order. */
export function resultGaps(scan: NoteScan): readonly ResultGap[] {
  return [
    ...scan.fences.filter((fence) => fence.within === null && isResultFence(fence)),
    ...scan.liveResults,
  ]
    .sort((a, b) => a.from - b.from)
    .map(({ from, to, line, endLine, isClosed }) => {
      const above = blankLinesAbove(scan.text, lineStart(scan.text, from));
      return { from: above.end, to, line: line - above.count, endLine, isClosed };
    });
}

/** How many blank lines stand above a line, and where the line above those ends. */
function blankLinesAbove(
  text: string,
  from: number,
): { readonly count: number; readonly end: number } {
  let start = from;
  for (let count = 0; ; count++) {
    if (start === 0) return { count, end: 0 };
    const end = lineEndBefore(text, start);
    start = lineStart(text, end);
    if (!/^[ \t>]*$/.test(text.slice(start, end))) return { count, end };
  }
}
