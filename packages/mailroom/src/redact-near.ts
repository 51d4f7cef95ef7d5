/** A part of a text, from its first character to the one behind its last. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** The text around each match of a pattern, so many characters before and behind it. */
export function around(
  text: string,
  pattern: RegExp,
  { before, behind }: { readonly before: number; readonly behind: number },
): readonly TextRange[] {
  return [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({
    from: index - before,
    to: index + length + behind,
  }));
}

/** Every match of some patterns that begins within a range. `reach` characters behind one that counts another one counts, too. */
export function matchesWithin(
  text: string,
  patterns: readonly RegExp[],
  {
    ranges,
    counts = () => true,
    reach = 0,
  }: {
    readonly ranges: readonly TextRange[];
    readonly counts?: (found: string, at: number) => boolean;
    readonly reach?: number;
  },
): readonly TextRange[] {
  const open = ranges.toSorted((one, other) => one.from - other.from);
  const found = patterns
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .sort((one, other) => one.index - other.index);
  const within: TextRange[] = [];
  let next = 0;
  let until = -1;
  for (const { index: from, 0: match } of found) {
    for (let range = open[next]; range !== undefined && range.from <= from; range = open[next]) {
      until = Math.max(until, range.to);
      next += 1;
    }
    if (from > until || from < (within.at(-1)?.to ?? 0) || !counts(match, from)) continue;
    const to = from + match.length;
    within.push({ from, to });
    until = Math.max(until, to + reach);
  }
  return within;
}

/** A text with each range replaced; they are in order. */
export function cutRanges(text: string, ranges: readonly TextRange[], cut: () => string): string {
  let result = '';
  let end = 0;
  for (const { from, to } of ranges) {
    result += text.slice(end, from) + cut();
    end = to;
  }
  return result + text.slice(end);
}
