import { LineCursor } from './line-cursor.ts';
import { afterLineEnd, lineEnd } from './lines.ts';
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
  const chain = containerChain(container);
  const cursor = new LineCursor(text);
  const lines: string[] = [];
  for (let at = from; at <= to; ) {
    const end = Math.min(lineEnd(text, at), to);
    cursor.begin(at, end);
    for (const around of chain) skipPrefix(cursor, around);
    for (let left = indent; left > 0 && cursor.isAtSpace; left--) cursor.skipColumns(1);
    lines.push(cursor.rest());
    at = afterLineEnd(text, end);
  }
  return lines;
}

/** The containers around and including this one, outermost first. */
function containerChain(container: Container | null): readonly Container[] {
  const chain: Container[] = [];
  for (let around = container; around !== null; around = around.parent) chain.push(around);
  return chain.reverse();
}

function skipPrefix(cursor: LineCursor, container: Container): void {
  if (container.kind === 'quote') {
    if (cursor.code === 62) cursor.skipQuoteMarker();
    return;
  }
  // White space beyond what the item needs is content, also on a line of nothing else.
  for (let left = container.columns; left > 0 && cursor.isAtSpace; left--) cursor.skipColumns(1);
  cursor.find();
}
