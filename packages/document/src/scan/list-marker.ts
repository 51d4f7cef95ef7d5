import type { LineCursor } from './line-cursor.ts';

/**
 * If a list marker stands at the cursor's first character, passes it and gives the columns that further
 * lines of the item need; otherwise gives 0 and moves nothing.
 */
export function skipListMarker(cursor: LineCursor, interruptsParagraph: boolean): number {
  const { text, end, indent, nonspace } = cursor;
  const width = markerWidth(text, nonspace, end, interruptsParagraph);
  if (width === 0) return 0;
  const after = nonspace + width;
  if (after < end && text.charCodeAt(after) !== 32 && text.charCodeAt(after) !== 9) return 0;
  if (interruptsParagraph && isEmpty(text, after, end)) return 0;

  cursor.toNonspace();
  cursor.skip(width);
  const { offset, column } = cursor;
  do cursor.skipColumns(1);
  while (cursor.column - column < 5 && cursor.isAtSpace);
  const spaces = cursor.column - column;
  if (spaces < 5 && spaces >= 1 && cursor.offset < end) {
    cursor.find();
    return indent + width + spaces;
  }
  // Indented code or nothing follows: one space belongs to the marker.
  cursor.restore(offset, column);
  if (cursor.isAtSpace) cursor.skipColumns(1);
  cursor.find();
  return indent + width + 1;
}

/** Whether a list marker may begin with that character. */
export function isListMarker(code: number): boolean {
  return code === 42 || code === 43 || code === 45 || isDigit(code);
}

function markerWidth(
  text: string,
  from: number,
  end: number,
  interruptsParagraph: boolean,
): number {
  const first = text.charCodeAt(from);
  if (first === 42 || first === 43 || first === 45) return 1;
  let at = from;
  while (at < end && at - from < 10 && isDigit(text.charCodeAt(at))) at++;
  const digits = at - from;
  if (digits === 0 || digits > 9 || at >= end) return 0;
  const delimiter = text.charCodeAt(at);
  if (delimiter !== 46 && delimiter !== 41) return 0;
  if (interruptsParagraph && Number(text.slice(from, at)) !== 1) return 0;
  return digits + 1;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** The reference counts form feed and vertical tab as white space here, and only here. */
function isEmpty(text: string, from: number, end: number): boolean {
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 9 && code !== 11 && code !== 12) return false;
  }
  return true;
}
