/** Where two texts differ: everything before `from` and after the two ends is the same. */
interface Difference {
  readonly from: number;
  readonly toBefore: number;
  readonly toAfter: number;
}

/** The one stretch that holds every difference between two sequences of characters or lines. */
export function difference(
  before: ArrayLike<unknown>,
  after: ArrayLike<unknown>,
): Difference | undefined {
  const shorter = Math.min(before.length, after.length);
  const areTexts = typeof before === 'string' && typeof after === 'string';
  let from = areTexts
    ? equalChunks(shorter, (at) => [before.slice(at, at + chunk), after.slice(at, at + chunk)])
    : 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  if (from === before.length && from === after.length) return undefined;
  const rest = shorter - from;
  let same = areTexts ? equalChunks(rest, (at) => [fromEnd(before, at), fromEnd(after, at)]) : 0;
  while (same < rest && before[before.length - 1 - same] === after[after.length - 1 - same]) {
    same += 1;
  }
  return { from, toBefore: before.length - same, toAfter: after.length - same };
}

/** Whole chunks of text are compared far faster than characters: a long text is hardly longer to compare than a short one. */
const chunk = 4_096;

function equalChunks(length: number, at: (offset: number) => readonly [string, string]): number {
  let same = 0;
  for (; same + chunk <= length; same += chunk) {
    const [before, after] = at(same);
    if (before !== after) break;
  }
  return same;
}

function fromEnd(text: string, offset: number): string {
  return text.slice(text.length - offset - chunk, text.length - offset);
}
