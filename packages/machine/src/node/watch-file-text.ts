import { stat } from 'node:fs/promises';
import { setInterval } from 'node:timers/promises';
import { guarded } from '@errand/host';
import { warnOfFault } from './warn-of-fault.ts';

/** How soon a change is noticed, in milliseconds. */
const interval = 250;

/**
 * Tells the text of a file at first and after each change, nothing when it is missing; returns a
 * function that stops it. It looks at the file instead of asking the system to be told, because that
 * also works for folders that do not exist yet, for links and for network drives.
 */
export function watchFileText(
  path: string,
  read: () => Promise<string | undefined>,
  listener: (text: string | undefined) => void,
): () => void {
  const stop = new AbortController();
  void watch(path, read, listener, stop.signal);
  return () => stop.abort();
}

async function watch(
  path: string,
  read: () => Promise<string | undefined>,
  listener: (text: string | undefined) => void,
  signal: AbortSignal,
): Promise<void> {
  let seen: string | undefined;
  // What a listener fails on is not the last change that it hears of.
  const tell = guarded(listener, warnOfFault);
  try {
    for await (const _ of setInterval(interval, undefined, { signal, ref: false })) {
      const stamp = await fileStamp(path);
      if (stamp === seen) continue;
      seen = stamp;
      const text = await read().catch(() => undefined);
      if (!signal.aborted) tell(text);
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
