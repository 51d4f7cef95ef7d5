/** A run of two or more colons that may turn the text before it into the key of a field. */
interface FieldSeparator {
  readonly at: number;
  readonly length: number;
}

/**
 * The separators of what Dataview takes for fields of the note: `key:: value` as a line or list item, and
 * `[key:: value]` or `(key:: value)` anywhere. Its lists join their lines, so a bracket may open on an earlier one.
 */
export function inlineFields(lines: string): readonly FieldSeparator[] {
  if (!lines.includes('::')) return [];
  const found: FieldSeparator[] = [];
  let isOpen = false;
  for (const { index, 0: line } of lines.matchAll(/[^\n]+/g)) {
    const keyEnd = fullLineKey.exec(line)?.[0].length ?? 0;
    for (const { index: at, 0: sign } of line.matchAll(/[[\]()]|::+/g)) {
      if (sign === '[' || sign === '(') isOpen = true;
      else if (sign === ']' || sign === ')') isOpen = false;
      else if (isOpen || at <= keyEnd) {
        found.push({ at: index + at, length: sign.length });
      }
    }
  }
  return found;
}

/** Markers of lists and other signs of Markdown, a key without other punctuation than `-`, `/` and `_`, and what ends its emphasis. */
const fullLineKey =
  /^(?:[\s>]*(?:[-+*]|\d+[.)])\s*(?:\[.?\])?)*[^\p{L}\p{N}_]*[^!-,.:-@[-^`{-~]*[_*~`]*\s*/u;
