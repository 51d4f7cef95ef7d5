import { resolve } from 'node:path';
import { setInterval, setTimeout as sleep } from 'node:timers/promises';
import { FolderWatches } from './folder-watches.ts';
import { fileStamp } from './watch-file-text.ts';

/** How often named notes are looked at, in milliseconds. */
const interval = 250;
/** How long changes are gathered: editors and sync programs write many files, and each several times. */
const gather = 100;
/** Notes told of at once. */
const most = 200;

/**
 * Tells the paths of all notes of a vault, or of those that are named, and then again and again of
 * those that came, changed or went. It goes on no faster than it is asked, and ends with the signal.
 */
export async function* watchNotes(
  vaultFolder: string,
  named: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<readonly string[], void> {
  try {
    if (named.length > 0) yield* watchNamed(vaultFolder, named, signal);
    else yield* watchAll(vaultFolder, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Looking at a few files works for links and network drives too, which tell of no changes. */
async function* watchNamed(vaultFolder: string, paths: readonly string[], signal: AbortSignal) {
  const seen = new Map<string, string>();
  const look = async () => {
    const changed: string[] = [];
    for (const path of paths) {
      const stamp = await fileStamp(resolve(vaultFolder, path));
      if (seen.get(path) !== stamp) changed.push(path);
      seen.set(path, stamp);
    }
    return changed;
  };
  yield await look();
  for await (const _ of setInterval(interval, undefined, { signal })) {
    const changed = await look();
    if (changed.length > 0) yield changed;
  }
}

async function* watchAll(vaultFolder: string, signal: AbortSignal) {
  using folders = new FolderWatches(vaultFolder);
  yield* inParts(folders.walk(''));
  for (;;) {
    await folders.changed(signal);
    await sleep(gather, undefined, { signal });
    yield* inParts(folders.takeChanges());
  }
}

async function* inParts(paths: AsyncIterable<string>) {
  let part = new Set<string>();
  for await (const path of paths) {
    part.add(path);
    if (part.size < most) continue;
    yield [...part];
    part = new Set();
  }
  if (part.size > 0) yield [...part];
}
