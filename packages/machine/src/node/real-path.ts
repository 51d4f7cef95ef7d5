import { realpathSync } from 'node:fs';

/** A path with its links followed and its letters as the disk has them; nothing when it leads nowhere. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
