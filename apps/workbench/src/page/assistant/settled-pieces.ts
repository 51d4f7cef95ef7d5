/** A piece of a text, and where it begins. */
export interface Piece {
  readonly at: number;
  readonly text: string;
}

/** A piece is at least so long, so that there are not too many. */
const leastLength = 400;

/**
 * Markdown that is still coming, cut where what stands above is read the same whatever follows. Only
 * the last piece changes when text is added, so that only that one has to be read again.
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

/** A line that belongs to nothing above it: neither indented, nor of a list, a quote or a table. */
const opensBlock = /^(?![\s>|]|[-+*](?:\s|$)|\d+[.)](?:\s|$)|<)/;
