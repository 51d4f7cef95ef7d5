import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';

/** A path with its links followed and its letters as the disk has them; nothing when it leads nowhere. */
export function realPath(path: string): string | undefined {
  try {
    // Most paths that are asked about lead nowhere, and an exception costs ten times the look.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** A note's path in the vault when links are followed; undefined when it is not there or outside. */
export function realNotePath(folder: string, path: string): string | undefined {
  const [vault, note] = [realPath(folder), realPath(join(folder, path))];
  // Nothing can be run in a note that cannot be reached; whoever reads it says why.
  if (vault === undefined || note === undefined) return undefined;
  const inside = relative(vault, note);
  if (isAbsolute(inside) || inside.split(sep)[0] === '..') return undefined;
  return inside.replaceAll(sep, '/');
}
