import { randomBytes } from 'node:crypto';
import { constants, lstatSync, unlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { OpenFolder } from './open-folder.ts';

/** A name nobody else uses, hidden, for a file on its way to being a note. */
export function temporaryName(): string {
  return `.errand-${randomBytes(8).toString('hex')}.tmp`;
}

/** Whether a name is one of `temporaryName`'s. */
export function isTemporaryName(name: string): boolean {
  return /^\.errand-[0-9a-f]{16}\.tmp$/.test(name);
}

/** Removes a file, if it is there. */
export function removeIfThere(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) unlinkSync(path);
}

/** Brings a folder's names to the disk, where the system lets a folder be opened for that. */
export async function syncFolder(folder: OpenFolder): Promise<void> {
  if (folder.descriptor === undefined) return;
  await using handle = await open(folder.at('.'), constants.O_RDONLY | constants.O_DIRECTORY);
  await handle.sync();
}

/** Whether an error says that this disk knows no hard links: FAT, some network and phone storage. */
export function hasNoHardLinks(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code);
}
