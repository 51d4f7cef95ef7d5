import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Larger files are not read: nobody waits that long for a server to start. */
const maxBytes = 256 * 1024 * 1024;

const chunkBytes = 256 * 1024;

/** The SHA-256 of a regular file's content; nothing for anything else, and for what cannot be read. */
export function hashFile(path: string): string | undefined {
  let file: number | undefined;
  try {
    // Without waiting: a pipe that was put in the place of a file would never open.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = fstatSync(file);
    if (!found.isFile() || found.size > maxBytes) return undefined;
    return hashOpenFile(file);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function hashOpenFile(file: number): string | undefined {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let total = 0;
  for (;;) {
    const length = readSync(file, chunk, 0, chunk.length, null);
    if (length === 0) return hash.digest('hex');
    total += length;
    // It may grow while it is read.
    if (total > maxBytes) return undefined;
    hash.update(chunk.subarray(0, length));
  }
}
