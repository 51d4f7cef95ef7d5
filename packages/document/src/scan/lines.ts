/** The start of the line that contains an offset. */
export function lineStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && !isLineEnd(text.charCodeAt(start - 1))) start--;
  return start;
}

/** The end of the line that contains an offset, before its line break. */
export function lineEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && !isLineEnd(text.charCodeAt(end))) end++;
  return end;
}

/** Where the line after the one that ends at `end` begins. */
export function afterLineEnd(text: string, end: number): number {
  return text.startsWith('\r\n', end) ? end + 2 : end + 1;
}

/** Where the line before the one that begins at `start` ends. */
export function lineEndBefore(text: string, start: number): number {
  return text.startsWith('\r\n', start - 2) ? start - 2 : start - 1;
}

/** The number of line breaks between two offsets, which may lie outside the text. */
export function countLineEnds(text: string, from: number, to: number): number {
  const part = text.slice(Math.max(from, 0), Math.max(to, 0));
  let count = 0;
  for (let at = part.indexOf('\n'); at >= 0; at = part.indexOf('\n', at + 1)) count++;
  for (let at = part.indexOf('\r'); at >= 0; at = part.indexOf('\r', at + 1)) {
    if (part.charCodeAt(at + 1) !== 10) count++;
  }
  return count;
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13;
}
