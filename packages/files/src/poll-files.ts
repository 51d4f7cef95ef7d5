import { stat } from 'node:fs/promises';
import { setInterval } from 'node:timers/promises';

/** How soon a change is noticed, in milliseconds. */
const interval = 250;

/**
 * Tells which of some files, by whole paths, are new to it: all at first, and then those that came, were
 * written, replaced or removed. Looking at a few files also works for folders that do not exist yet, for links
 * and for network drives, none of which tell of changes. Ends with the signal; `ref: false` keeps no program
 * alive.
 */
export async function* pollFiles(
  paths: readonly string[],
  signal: AbortSignal,
  { ref = true }: { readonly ref?: boolean } = {},
): AsyncGenerator<readonly string[], void> {
  const seen = new Map<string, string>();
  const look = async () => {
    const changed: string[] = [];
    for (const path of paths) {
      const stamp = await fileStamp(path);
      if (seen.get(path) !== stamp) changed.push(path);
      seen.set(path, stamp);
    }
    return changed;
  };
  yield await look();
  try {
    for await (const _ of setInterval(interval, undefined, { signal, ref })) {
      const changed = await look();
      if (changed.length > 0) yield changed;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Text that changes whenever the file is written or replaced. */
export async function fileStamp(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return 'missing';
  return [found.ino, found.size, found.mtimeMs, found.ctimeMs].join(' ');
}
