import { lstatSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocatedFile } from './open-file.ts';
import { removeLeftovers, syncFolder, temporaryFileIn } from './temporary-file.ts';
import { writeDurably } from './write-durably.ts';

interface ReplaceOptions {
  /** Permissions of a file that does not exist yet; an existing file keeps its own. */
  readonly mode?: number;
  /** Asked at the last moment, when the new content is on disk; false leaves the file as it is. */
  readonly isStillWanted?: () => Promise<boolean>;
}

// `write-file-atomic` resolves links and writes by path, not in a folder that is held open; therefore this one.

/**
 * Replaces a file so that a reader, or a crash, finds the old content or the new one and never a part.
 * Resolves with whether it was replaced.
 */
export async function replaceFile(
  { folder, name }: Pick<LocatedFile, 'folder' | 'name'>,
  content: string | Uint8Array,
  { mode = 0o644, isStillWanted }: ReplaceOptions = {},
): Promise<boolean> {
  const like = lstatSync(folder.at(name), { throwIfNoEntry: false });
  removeLeftovers(folder);
  using temporary = temporaryFileIn(folder);
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  await writeDurably(temporary.path, { bytes, like, mode });
  if (isStillWanted !== undefined && !(await isStillWanted())) return false;
  await renameOver(temporary.path, folder.at(name));
  await syncFolder(folder);
  return true;
}

/** Windows refuses while a reader has the file open, which passes. */
async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await rename(from, to);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      const passes = process.platform === 'win32' && (code === 'EPERM' || code === 'EBUSY');
      if (!passes || attempt === 20) throw error;
      await sleep(25);
    }
  }
}
