import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FilesError, fileAt, replaceFile, withFileLock } from '@errand/files';
import { HostError, parseJson } from '@errand/host';
import { readIfExists } from './read-if-exists.ts';

/** A JSON file outside the vault that only its owner can read. */
interface OwnerOnlyFile {
  /** What it holds; nothing when it does not exist. */
  read(): Promise<unknown>;
  /** Replaces what it holds, one process at a time. */
  change(change: (current: unknown) => unknown): Promise<void>;
}

/** Opens such a file; it and its folder are made when something is first written. */
export function ownerOnlyFile(path: string): OwnerOnlyFile {
  const read = async () => {
    const text = await readIfExists(path);
    if (text === undefined) return undefined;
    await keepPrivate(path);
    return parseJson(text, path).value;
  };
  const write = async (change: (current: unknown) => unknown) => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    using file = await fileAt(path);
    await withFileLock(file, async () => {
      const text = `${JSON.stringify(change(await read()), undefined, 2)}\n`;
      await replaceFile(file, text, { mode: 0o600 });
    });
  };
  return {
    read: () => explained(path, 'read', read),
    change: (change) => explained(path, 'written', () => write(change)),
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

/** Whoever once ran Errand as another user has a file here that is not theirs. */
async function explained<Result>(
  path: string,
  action: 'read' | 'written',
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof FilesError) {
      const message = `${path} cannot be ${action}: ${cause.message}`;
      throw new HostError('settings_invalid', message, {}, { cause });
    }
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    const message = `${path} cannot be ${action} (${cause.message}). Make it and its folder yours, and check the free disk space.`;
    throw new HostError('settings_invalid', message, {}, { cause });
  }
}
