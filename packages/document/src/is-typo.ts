/**
 * Whether two texts differ by at most one typo: an extra, missing or wrong character, or two swapped
 * neighbours. Case is ignored.
 */
export function isTypo(one: string, other: string): boolean {
  const a = [...one.toLowerCase()];
  const b = [...other.toLowerCase()];
  const shorter = Math.min(a.length, b.length);
  let before = 0;
  while (before < shorter && a[before] === b[before]) before += 1;
  let behind = 0;
  while (behind < shorter - before && a.at(-1 - behind) === b.at(-1 - behind)) behind += 1;
  const [left, right] = [a, b].map((text) => text.slice(before, text.length - behind));
  if (left === undefined || right === undefined) return false;
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && left.join('') === right.toReversed().join('');
}
