import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { HostError } from '@errand/host';

/**
 * Makes the folder that servers run in when their entry names none: nothing in it can decide what they
 * load, and nobody else can put something there.
 */
export function makeNeutralFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  const isOurs = process.getuid === undefined || found.uid === process.getuid();
  if (!found.isDirectory() || !isOurs) {
    throw new HostError(
      'server_unavailable',
      `${path}, the folder that servers run in, is not a folder of yours. Remove it; it is made again.`,
      { neverSent: true },
    );
  }
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) chmodSync(path, 0o700);
  return path;
}
