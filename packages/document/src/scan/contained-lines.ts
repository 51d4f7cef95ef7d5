import { LineCursor } from './line-cursor.ts';
import { afterLineEnd, lineEnd, lineStart } from './lines.ts';
import type { Container } from './note-scan.ts';

/**
 * The lines from `from` (a line's start) to `to` (a line's end) without their container's prefix, and
 * without up to `indent` further columns of white space.
 */
export function containedLines(
  text: string,
  from: number,
  to: number,
  container: Container | null,
  indent: number,
): string[] {
  if (container === null && indent === 0) return text.slice(from, to).split(/\r\n|\n|\r/);
  const chain = containerChain(container);
  const cursor = new LineCursor(text);
  const lines: string[] = [];
  for (let at = from; at <= to; ) {
    const end = Math.min(lineEnd(text, at), to);
    cursor.begin(at, end);
    chain.every((around) => skipPrefix(cursor, around));
    for (let left = indent; left > 0 && cursor.isAtSpace; left--) cursor.skipColumns(1);
    lines.push(cursor.rest());
    at = afterLineEnd(text, end);
  }
  return lines;
}

/** The container prefix of the line at an offset. */
export function containerPrefix(text: string, at: number, container: Container | null): string {
  const cursor = new LineCursor(text);
  cursor.begin(lineStart(text, at), lineEnd(text, at));
  containerChain(container).every((around) => skipPrefix(cursor, around));
  return cursor.passed();
}

/** The prefix that a further line of a container needs. */
export function furtherPrefix(container: Container | null): string {
  return containerChain(container)
    .map(({ kind, columns }) => (kind === 'quote' ? '> ' : ' '.repeat(columns)))
    .join('');
}

/** The number of the last non-blank line of a container, given the end of one of its lines. */
export function itemEndLine(text: string, to: number, line: number, container: Container): number {
  const chain = containerChain(container);
  const cursor = new LineCursor(text);
  let last = line;
  let end = to;
  for (let at = line + 1; end < text.length; at++) {
    const start = afterLineEnd(text, end);
    end = lineEnd(text, start);
    cursor.begin(start, end);
    if (!chain.every((around) => skipPrefix(cursor, around))) break;
    if (!cursor.isBlank) last = at;
  }
  return last;
}

/** The containers around and including this one, outermost first. */
function containerChain(container: Container | null): readonly Container[] {
  const chain: Container[] = [];
  for (let around = container; around !== null; around = around.parent) chain.push(around);
  return chain.reverse();
}

/** Whether the line continues the container; a lazy continuation line does not. */
function skipPrefix(cursor: LineCursor, container: Container): boolean {
  if (container.kind === 'quote') {
    if (cursor.indent > 3 || cursor.code !== 62) return false;
    cursor.skipQuoteMarker();
    return true;
  }
  if (!cursor.isBlank && cursor.indent < container.columns) return false;
  // White space beyond the indent of the item is content, also on an otherwise blank line.
  for (let left = container.columns; left > 0 && cursor.isAtSpace; left--) cursor.skipColumns(1);
  cursor.find();
  return true;
}
