import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { isTemporaryName, type OpenFolder } from '@errand/files';
import { VaultError } from '../vault-error.ts';
import { openFolder } from './open-folder.ts';
import type { NoteFile } from './read-note-file.ts';
import type { Vault } from './vault.ts';
import type { VaultLock } from './vault-lock.ts';

/**
 * Refuses to change a file with a second name: it may be one from outside the vault, put here by a
 * hard link. A second name that a killed server of ours left behind is removed instead.
 */
export async function refuseSharedFile(
  vault: Vault,
  lock: VaultLock,
  note: NoteFile,
): Promise<void> {
  if (note.stats.nlink < 2) return;
  // Under the lock no server of ours is in the middle of giving a file its name.
  const links = await lock.run(() => linksAfterTidying(vault, note));
  if (links < 2) return;
  const path = note.segments.join('/');
  throw new VaultError(
    'permission_denied',
    `${path} is a hard link: its file has ${links} names, and one may lie outside the vault. Put a copy in its place to change it.`,
    { path, links },
  );
}

function linksAfterTidying(vault: Vault, { segments, stats }: NoteFile): number {
  using folder = openFolder(vault, segments.slice(0, -1));
  for (const name of readdirSync(folder.at('.')).filter(isTemporaryName)) {
    if (lstatSync(folder.at(name), { throwIfNoEntry: false })?.ino === stats.ino) {
      unlinkSync(folder.at(name));
    }
  }
  return linksOf(folder, segments.at(-1) ?? '');
}

function linksOf(folder: OpenFolder, name: string): number {
  return lstatSync(folder.at(name), { throwIfNoEntry: false })?.nlink ?? 0;
}
