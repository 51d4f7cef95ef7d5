import type { TextEdit } from '../edits.ts';
import { lookBelow } from '../results/find-result.ts';
import { resultGaps } from '../results/result-gaps.ts';
import { furtherPrefix } from '../scan/contained-lines.ts';
import { afterLineEnd, lineEnd, lineStart } from '../scan/lines.ts';
import type { Fence, NoteScan, Span } from '../scan/note-scan.ts';
import { rescan } from '../scan/rescan.ts';

/** The edit that inserts a block into a note. */
interface BlockInsertion {
  readonly edit: TextEdit;
  /** Where a column of one of its lines is in the new text. */
  offsetOf(line: number, column: number): number;
}

/**
 * Puts the lines of a block where the cursor is: in the same list item or quote, below the text there, and
 * never inside of another block or between a request and its result. Null when the block there has no end.
 */
export function insertBlock(
  scan: NoteScan,
  cursor: number,
  lines: readonly string[],
): BlockInsertion | null {
  const place = placeFor(scan, cursor);
  if (place === null) return null;
  const { range, lead, prefix } = place;
  const [first = '', ...more] = lines;
  const written = [first, ...more.map((line) => prefix + line)];
  const text = lead + written.join(scan.lineEnd);
  return {
    edit: { range, text },
    offsetOf(line, column) {
      const above = written.slice(0, line).map((each) => each.length + scan.lineEnd.length);
      const start = range[0] + lead.length + above.reduce((sum, length) => sum + length, 0);
      return start + (line === 0 ? 0 : prefix.length) + column;
    },
  };
}

interface InsertionPoint {
  readonly range: TextEdit['range'];
  /** The text before the block's first line. */
  readonly lead: string;
  /** The prefix of its further lines. */
  readonly prefix: string;
}

function placeFor(scan: NoteScan, cursor: number): InsertionPoint | null {
  const { text, lineEnd: newLine } = scan;
  const around = blockAround(scan, cursor);
  if (around === 'open') return null;
  const end = lineEnd(text, around ?? cursor);
  const start = lineStart(text, end);
  const { prefix, content } = containerOf(scan, start, end);
  const isMargin = prefix.trim() === '' && content === start;
  if (around === null && text.slice(content, end).trim() === '') {
    // The prefix of the line stays, so that the block is in the same item or quote.
    const lead = /[>\-*+.)]$/.test(text.slice(start, content)) ? ' ' : '';
    return { range: [content, end], lead, prefix };
  }
  const last = around === null && isMargin ? paragraphEnd(text, end) : end;
  const at = behindResult(scan, last);
  const gap = isMargin ? newLine : '';
  return { range: [at, at], lead: `${newLine}${gap}${prefix}`, prefix };
}

/** The end of the block that contains the cursor; null when it is in none. */
function blockAround(scan: NoteScan, cursor: number): number | 'open' | null {
  const { text, frontmatter, fences, comments, math, liveResults } = scan;
  const holds = ({ from, to }: Span) => lineStart(text, from) <= cursor && cursor <= to;
  if (frontmatter !== null && holds(frontmatter)) return frontmatter.to;
  const fence = fences.find((each) => holds(each));
  if (fence !== undefined) return fence.isClosed ? endWithResult(scan, fence) : 'open';
  return [...comments, ...math, ...liveResults].find(holds)?.to ?? null;
}

function endWithResult(scan: NoteScan, fence: Fence): number {
  const { blockId, result } = lookBelow(scan, [])(fence);
  return result?.to ?? blockId?.to ?? fence.to;
}

/** The lines of a result belong to the request above. */
function behindResult(scan: NoteScan, at: number): number {
  return resultGaps(scan).find(({ from }) => from === at)?.to ?? at;
}

/** What a line belongs to: what a further line of that begins with, and where the content of this one does. */
function containerOf(
  scan: NoteScan,
  start: number,
  end: number,
): { readonly prefix: string; readonly content: number } {
  const marks = /^(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$))*/.exec(scan.text.slice(start, end));
  const content = start + (marks?.[0].length ?? 0);
  // Scanning the note with a trial block shows which of these markers count.
  const tried = rescan(scan, { range: [content, end], text: '```tried' });
  const fence = tried.fences.find(({ from }) => from === content);
  if (fence === undefined) return { prefix: '', content: start };
  return { prefix: furtherPrefix(fence.container) + ' '.repeat(fence.indent), content };
}

/** Where the paragraph or table ends that a line belongs to. */
function paragraphEnd(text: string, end: number): number {
  let last = end;
  while (last < text.length && goesOn.test(text.slice(lineStart(text, last), last))) {
    const next = afterLineEnd(text, last);
    const nextEnd = lineEnd(text, next);
    if (!goesOn.test(text.slice(next, nextEnd))) return last;
    last = nextEnd;
  }
  return last;
}

/** A line that may be part of a paragraph of several. */
const goesOn = /^ {0,3}(?![#>~`$<^]|%%|[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$))\S/;
