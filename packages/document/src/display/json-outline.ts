/** An answer with no more values than this is open from top to bottom. */
const fewValues = 60;

/** How many levels of a tree are open at first: all of a small one, the outermost of a large one. */
export function openLevels(value: unknown): number {
  return countValues(value, fewValues) < fewValues ? Number.POSITIVE_INFINITY : 1;
}

/** What an object or a list holds; nothing of any other value. */
export function entriesOf(value: unknown): readonly [string, unknown][] | undefined {
  return typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
}

/** `1 item`, `3 fields`. */
export function entryCount(value: unknown): string {
  const length = entriesOf(value)?.length ?? 0;
  return `${length} ${Array.isArray(value) ? 'item' : 'field'}${length === 1 ? '' : 's'}`;
}

/** Values in all levels; counting ends where it is clear that there are many. */
function countValues(value: unknown, most: number): number {
  let found = 1;
  for (const [, inner] of entriesOf(value) ?? []) {
    if (found >= most) break;
    found += countValues(inner, most - found);
  }
  return found;
}
