import { chmod, mkdir, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileAt } from './file-at.ts';
import type { LocatedFile } from './open-file.ts';
import { readIfExists } from './read-if-exists.ts';
import { replaceFile } from './replace-file.ts';
import { type LockTimes, withFileLock } from './with-file-lock.ts';

/** A text file outside the vault that only its owner can read. */
export interface OwnerOnlyFile {
  /** Its text; nothing when it does not exist. */
  read(): Promise<string | undefined>;
  /** Replaces its text as a whole, one process at a time. */
  change(change: (current: string | undefined) => string | Promise<string>): Promise<void>;
  /** Removes it, if it is there. */
  remove(): Promise<void>;
}

/** Opens such a file; it and its folder are made when something is first written. */
export function openOwnerOnlyFile(path: string, times?: LockTimes): OwnerOnlyFile {
  const read = async () => {
    const text = await readIfExists(path);
    if (text !== undefined) await keepPrivate(path);
    return text;
  };
  const underLock = async (work: (file: LocatedFile) => Promise<void>) => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    using file = await fileAt(path);
    await withFileLock(file, () => work(file), undefined, times);
  };
  return {
    read,
    change: (change) =>
      underLock(async (file) => {
        await replaceFile(file, await change(await read()), { mode: 0o600 });
      }),
    async remove() {
      if ((await readIfExists(path)) !== undefined) {
        await underLock(({ folder, name }) => rm(folder.at(name), { force: true }));
      }
    },
  };
}

/**
 * Somebody may have copied the file here with the usual rights; a disk that is read-only keeps them. One that
 * is private already is left alone: even a change to the same rights looks like a change to those who watch.
 */
async function keepPrivate(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o777) !== 0o600) await chmod(path, 0o600).catch(() => {});
}
