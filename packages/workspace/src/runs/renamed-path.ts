/** The path of a note after it, or a folder it stands in, got another name; nothing when that is not so. */
export function renamedPath(path: string, from: string, to: string): string | undefined {
  if (path === from) return to;
  return path.startsWith(`${from}/`) ? to + path.slice(from.length) : undefined;
}
