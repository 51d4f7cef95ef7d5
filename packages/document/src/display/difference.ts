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
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  if (from === before.length && from === after.length) return undefined;
  let same = 0;
  while (
    same < shorter - from &&
    before[before.length - 1 - same] === after[after.length - 1 - same]
  ) {
    same += 1;
  }
  return { from, toBefore: before.length - same, toAfter: after.length - same };
}
