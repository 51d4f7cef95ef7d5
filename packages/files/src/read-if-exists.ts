import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** The text of a file; undefined when it does not exist. Rejects when it is not a plain file or too large. */
export async function readIfExists(
  path: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  try {
    // Non-blocking: opening a pipe without a writer would block the process, even its exit.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = await file.stat();
    if (!stats.isFile()) throw unreadable(`${path} is not a file.`);
    if (stats.size > largestText) throw unreadable(`${path} is larger than 64 MiB.`);
    return await file.readFile({ encoding: 'utf8', signal });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

const largestText = 64 * 1024 * 1024;

/** As the system reports what it cannot read, so that callers explain it in the same way. */
function unreadable(message: string): Error {
  return Object.assign(new Error(message), { syscall: 'read' });
}
