/** The folder at the top that every path of a glob is in; undefined when that is left open. */
export function firstFolder(glob: string): string | undefined {
  return /^([^*?/]+)\//.exec(glob)?.[1];
}

/** Finds among things with globs those that can concern a path: of a thousand, few begin with the same folder. */
export function byFirstFolder<Thing extends { readonly glob: string }>(
  things: readonly Thing[],
): (path: string) => readonly Thing[] {
  const groups = Map.groupBy(things, ({ glob }) => firstFolder(glob));
  const open = groups.get(undefined) ?? [];
  return (path) => {
    const named = groups.get(path.split('/', 1)[0]);
    return named === undefined ? open : [...open, ...named];
  };
}
