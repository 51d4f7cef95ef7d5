import { syncFolder } from '@errand/files';
import { VaultError } from '../vault-error.ts';
import { moveEntry } from './move-entry.ts';
import { maximumDepth, refuseUnportable } from './note-path.ts';
import { openFolder } from './open-folder.ts';
import { openNote } from './open-note.ts';
import type { Vault } from './vault.ts';
import type { VaultLock } from './vault-lock.ts';

/** Where a note was and where it is now, as the disk spells it. */
export interface MovedNote {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** Moves a note to a free path, making folders as needed. */
export async function moveNoteFile(
  vault: Vault,
  lock: VaultLock,
  source: readonly string[],
  destination: readonly string[],
): Promise<MovedNote> {
  const name = (destination.at(-1) ?? '').normalize('NFC');
  refuseUnportable([name]);
  return await moveNamed(vault, lock, source, [...destination.slice(0, -1), name]);
}

/** Moves a note to the vault's trash folder, under a name that is free there. */
export async function trashNoteFile(
  vault: Vault,
  lock: VaultLock,
  source: readonly string[],
): Promise<MovedNote> {
  // A note may be too deep for the folders above it to fit below the trash.
  const folder = ['.trash', ...source.slice(0, -1)].slice(0, maximumDepth - 1);
  const name = source.at(-1) ?? '';
  const stem = name.slice(0, -'.md'.length);
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${stem} ${count}.md`;
    try {
      return await moveNamed(vault, lock, source, [...folder, free]);
    } catch (error) {
      if (!(error instanceof VaultError) || error.code !== 'conflict' || count === 1000)
        throw error;
    }
  }
}

async function moveNamed(
  vault: Vault,
  lock: VaultLock,
  source: readonly string[],
  target: readonly string[],
): Promise<MovedNote> {
  const from = withoutLinks(vault, source);
  using oldFolder = openFolder(vault, from.slice(0, -1));
  using newFolder = openFolder(vault, target.slice(0, -1), { create: true });
  const name = target.at(-1) ?? '';
  await lock.run(() =>
    moveEntry({ folder: oldFolder, name: from.at(-1) ?? '' }, { folder: newFolder, name }),
  );
  await syncFolder(newFolder);
  await syncFolder(oldFolder);
  return { from, to: [...newFolder.segments, name] };
}

/** Moving what a link points to would leave the link behind, pointing nowhere. */
function withoutLinks(vault: Vault, source: readonly string[]): readonly string[] {
  using note = openNote(vault, source);
  const [given, real] = [source.join('/'), note.segments.join('/')];
  if (given.normalize('NFC') === real.normalize('NFC')) return note.segments;
  throw new VaultError(
    'permission_denied',
    `${given} is reached through a symbolic link. Name the note itself: ${real}`,
    { path: real },
  );
}
