/** A piece of a text, and where it begins. */
export interface Piece {
  readonly at: number;
  readonly text: string;
}

/** Minimum length of a piece, to limit their number. */
const leastLength = 400;

/**
 * Splits streaming Markdown where later text cannot change the meaning of what is above. Only the
 * last piece changes when text is added, so only that one is parsed again.
 */
export function settledPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let begun = 0;
  let at = 0;
  let fence = '';
  let wasBlank = false;
  for (const line of text.split('\n')) {
    const [, marks = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    const isNew = wasBlank && fence === '' && opensBlock.test(line);
    if (isNew && at - begun >= leastLength) {
      pieces.push({ at: begun, text: text.slice(begun, at) });
      begun = at;
    }
    if (fence === '') fence = marks;
    else if (marks.startsWith(fence) && line.trim() === marks) fence = '';
    wasBlank = line.trim() === '';
    at += line.length + 1;
  }
  return [...pieces, { at: begun, text: text.slice(begun) }];
}

/** A line that starts a new block: not indented, nor part of a list, quote or table. */
const opensBlock = /^(?![\s>|]|[-+*](?:\s|$)|\d+[.)](?:\s|$)|<)/;
