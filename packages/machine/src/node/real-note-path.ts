import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';

/** A note's path in the vault when links are followed; undefined when it is not there or outside. */
export function realNotePath(folder: string, path: string): string | undefined {
  try {
    const inside = relative(realpathSync.native(folder), realpathSync.native(join(folder, path)));
    if (isAbsolute(inside) || inside.split(sep)[0] === '..') return undefined;
    return inside.replaceAll(sep, '/');
  } catch {
    // Nothing can be run in a note that cannot be reached; whoever reads it says why.
    return undefined;
  }
}
