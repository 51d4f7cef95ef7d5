/**
 * The name that was probably meant by one that does not exist; undefined when none is near enough. Case, `-` and `_`
 * do not count; a name of three letters may have one typo, a name of eight may have two.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = plain(name);
  const most = wanted.length < 3 ? 0 : wanted.length < 8 ? 1 : 2;
  let nearest: string | undefined;
  let least = most + 1;
  for (const candidate of known) {
    const distance = typosBetween(wanted, plain(candidate), least);
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

function plain(name: string): string {
  return name
    .slice(0, 200)
    .toLowerCase()
    .replace(/[-_\s]/g, '');
}

/** Characters that are extra, missing, wrong or swapped with their neighbour; `limit` when there are as many or more. */
function typosBetween(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      let typos = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
      );
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (row > 1 && column > 1 && isSwapped)
        typos = Math.min(typos, at(beforeLast, column - 2) + 1);
      current.push(typos);
    }
    [beforeLast, last] = [last, current];
  }
  return Math.min(at(last, b.length), limit);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
