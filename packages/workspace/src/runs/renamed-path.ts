/** The new path of a note when it or one of its folders was renamed; otherwise undefined. */
export function renamedPath(path: string, from: string, to: string): string | undefined {
  if (path === from) return to;
  return path.startsWith(`${from}/`) ? to + path.slice(from.length) : undefined;
}
