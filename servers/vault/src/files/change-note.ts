import { constants, linkSync, renameSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { VaultError } from '../vault-error.ts';
import { refuseUnportable } from './note-path.ts';
import { type OpenFolder, openFolder } from './open-folder.ts';
import { type NoteFile, readNoteFile, refuseTooLarge } from './read-note-file.ts';
import { refuseSharedFile } from './refuse-shared-file.ts';
import { hasNoHardLinks, removeIfThere, syncFolder, temporaryName } from './temporary-file.ts';
import type { Vault } from './vault.ts';
import type { VaultLock } from './vault-lock.ts';

/** The new bytes of a note, from what is there now; undefined means there is no such note yet. */
export type NoteChange = (current: NoteFile | undefined) => Uint8Array;

export interface ChangedNote {
  readonly segments: readonly string[];
  readonly bytes: Uint8Array;
  readonly created: boolean;
}

const maximumAttempts = 20;

/**
 * Changes a note as a whole or not at all: the new text is written beside it, brought to the disk and
 * given the note's name in one step. When the note changes meanwhile, the change is made anew on top.
 */
export async function changeNote(
  vault: Vault,
  lock: VaultLock,
  segments: readonly string[],
  change: NoteChange,
  signal?: AbortSignal,
): Promise<ChangedNote> {
  for (let attempt = 0; attempt < maximumAttempts; attempt++) {
    signal?.throwIfAborted();
    const current = readIfThere(vault, segments);
    const bytes = change(current);
    refuseTooLarge(segments, bytes.length);
    if (current !== undefined) {
      refuseSharedFile(vault, lock, current);
      if (current.bytes.equals(bytes)) return { ...current, created: false };
    }
    const changed = await replace(vault, lock, segments, current, bytes);
    if (changed !== undefined) return changed;
  }
  throw new VaultError(
    'conflict',
    `${segments.join('/')} keeps changing. Nothing was written; try again when it is quiet.`,
  );
}

function readIfThere(vault: Vault, segments: readonly string[]): NoteFile | undefined {
  try {
    return readNoteFile(vault, segments);
  } catch (error) {
    if (error instanceof VaultError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Undefined when the note is no longer what the change was made from. */
async function replace(
  vault: Vault,
  lock: VaultLock,
  wanted: readonly string[],
  current: NoteFile | undefined,
  bytes: Uint8Array,
): Promise<ChangedNote | undefined> {
  const segments = current?.segments ?? wanted;
  const name = current === undefined ? nameForNew(segments) : (segments.at(-1) ?? '');
  using folder = openFolder(vault, segments.slice(0, -1), { create: current === undefined });
  const temporary = folder.at(temporaryName());
  try {
    await writeDurably(temporary, bytes, current);
    const done = lock.run(() => {
      if (current === undefined) return giveFreeName(folder, temporary, name);
      if (!isStill(vault, current)) return false;
      renameSync(temporary, folder.at(name));
      return true;
    });
    if (!done) return undefined;
    await syncFolder(folder);
    return { segments: [...folder.segments, name], bytes, created: current === undefined };
  } finally {
    removeIfThere(temporary);
  }
}

function nameForNew(segments: readonly string[]): string {
  const name = (segments.at(-1) ?? '').normalize('NFC');
  refuseUnportable([name]);
  return name;
}

async function writeDurably(path: string, bytes: Uint8Array, like: NoteFile | undefined) {
  const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_WRONLY } = constants;
  await using file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  await file.writeFile(bytes);
  if (like !== undefined) await keepOwnerAndMode(file, like);
  await file.sync();
}

async function keepOwnerAndMode(file: FileHandle, { stats }: NoteFile): Promise<void> {
  const own = await file.stat();
  if (own.uid !== stats.uid || own.gid !== stats.gid) {
    // Only the superuser may give files away; for everybody else the new file is theirs anyway.
    await file.chown(stats.uid, stats.gid).catch(() => {});
  }
  if (own.mode !== stats.mode) await file.chmod(stats.mode & 0o7777);
}

function giveFreeName(folder: OpenFolder, temporary: string, name: string): boolean {
  if (folder.find(name) !== undefined) return false;
  try {
    // Unlike a rename, a link never replaces what another program put there just now.
    linkSync(temporary, folder.at(name));
    removeIfThere(temporary);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    if (!hasNoHardLinks(error)) throw error;
    renameSync(temporary, folder.at(name));
  }
  return true;
}

/** Compares the bytes: a disk's clock is too coarse to tell two writes of one moment apart. */
function isStill(vault: Vault, { segments, bytes }: NoteFile): boolean {
  const now = readIfThere(vault, segments);
  return now?.bytes.equals(bytes) === true && now.segments.join('/') === segments.join('/');
}
