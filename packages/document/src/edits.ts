/** Replaces the range between two offsets by `text`. */
export interface TextEdit {
  readonly range: readonly [from: number, to: number];
  readonly text: string;
}

/** The text with all edits made. Their ranges are those of the old text and must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const ordered = [...edits].sort((a, b) => a.range[0] - b.range[0] || a.range[1] - b.range[1]);
  const parts: string[] = [];
  let at = 0;
  for (const edit of ordered) {
    const [from, to] = edit.range;
    if (from < at || to < from || to > text.length) {
      throw new RangeError(`Edits overlap or lie outside the text at ${from} to ${to}.`);
    }
    parts.push(text.slice(at, from), edit.text);
    at = to;
  }
  parts.push(text.slice(at));
  return parts.join('');
}
