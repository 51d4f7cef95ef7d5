/** An Obsidian block id at the end of a line: `text ^id`, or `^id` alone. */
interface TrailingId {
  readonly id: string;
  /** The offset of its `^`. */
  readonly from: number;
}

export function trailingBlockId(text: string, from: number, to: number): TrailingId | null {
  let end = to;
  while (end > from && isSpace(text.charCodeAt(end - 1))) end--;
  let at = end;
  while (at > from && isIdCharacter(text.charCodeAt(at - 1))) at--;
  const caret = at - 1;
  if (at === end || caret < from || text.charCodeAt(caret) !== 94) return null;
  if (caret > from && !isSpace(text.charCodeAt(caret - 1))) return null;
  return { id: text.slice(at, end), from: caret };
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9;
}

function isIdCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    code === 45
  );
}
