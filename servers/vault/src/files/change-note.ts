import { linkSync, renameSync } from 'node:fs';
import {
  type NewFile,
  type OpenFolder,
  removeIfExists,
  syncFolder,
  temporaryFileIn,
  writeDurably,
} from '@errand/files';
import { VaultError } from '../vault-error.ts';
import { hasNoHardLinks } from './move-entry.ts';
import { refuseUnportable } from './note-path.ts';
import { openFolder } from './open-folder.ts';
import { type NoteFile, readNoteFile, refuseTooLarge } from './read-note-file.ts';
import { refuseSharedFile } from './refuse-shared-file.ts';
import type { Vault } from './vault.ts';
import type { VaultLock } from './vault-lock.ts';

/** The new bytes of a note, from what is there now; undefined means there is no such note yet. */
export type NoteChange = (current: NoteFile | undefined) => Uint8Array;

export interface ChangedNote {
  readonly segments: readonly string[];
  readonly bytes: Uint8Array;
  readonly created: boolean;
}

const politeAttempts = 3;
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
    // Another server that writes all the time could win for ever, so in the end it has to wait.
    const changed =
      attempt < politeAttempts
        ? await tryChange(vault, lock, segments, change)
        : await lock.run(() => tryChange(vault, held, segments, change));
    if (changed !== undefined) return changed;
  }
  throw new VaultError(
    'conflict',
    `${segments.join('/')} keeps changing. Nothing was written; try again when it is quiet.`,
  );
}

/** For callers that already hold the lock. */
const held: VaultLock = { run: async (task) => task() };

/**
 * Writes first and takes the lock only to give the name, so that nobody waits for the disk. Undefined when
 * the note changed meanwhile.
 */
async function tryChange(
  vault: Vault,
  lock: VaultLock,
  segments: readonly string[],
  change: NoteChange,
): Promise<ChangedNote | undefined> {
  const plan = await planChange(vault, lock, segments, change);
  if ('changed' in plan) return plan.changed;
  using target = openTarget(vault, plan);
  await writeDurably(target.temporary, newFile(plan));
  if (!(await lock.run(() => giveName(vault, target, plan)))) return undefined;
  await syncFolder(target.folder);
  return changedNote(target, plan);
}

/** The note that was found and the bytes it shall have. */
interface Plan {
  readonly current: NoteFile | undefined;
  readonly segments: readonly string[];
  readonly bytes: Uint8Array;
}

async function planChange(
  vault: Vault,
  lock: VaultLock,
  wanted: readonly string[],
  change: NoteChange,
): Promise<Plan | { readonly changed: ChangedNote }> {
  const current = readIfExists(vault, wanted);
  const bytes = change(current);
  refuseTooLarge(wanted, bytes.length);
  if (current === undefined) return { current, segments: withNewName(wanted), bytes };
  await refuseSharedFile(vault, lock, current);
  if (current.bytes.equals(bytes)) return { changed: { ...current, created: false } };
  return { current, segments: current.segments, bytes };
}

function newFile({ bytes, current }: Plan): NewFile {
  return { bytes, like: current?.stats };
}

/** The folder of the note, and a temporary file in it that is removed on disposal. */
interface WriteTarget extends Disposable {
  readonly folder: OpenFolder;
  readonly name: string;
  readonly temporary: string;
}

function openTarget(vault: Vault, { current, segments }: Plan): WriteTarget {
  const folder = openFolder(vault, segments.slice(0, -1), { create: current === undefined });
  const temporary = temporaryFileIn(folder);
  return {
    folder,
    name: segments.at(-1) ?? '',
    temporary: temporary.path,
    [Symbol.dispose]() {
      temporary[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

function changedNote({ folder, name }: WriteTarget, { bytes, current }: Plan): ChangedNote {
  return { segments: [...folder.segments, name], bytes, created: current === undefined };
}

function readIfExists(vault: Vault, segments: readonly string[]): NoteFile | undefined {
  try {
    return readNoteFile(vault, segments);
  } catch (error) {
    if (error instanceof VaultError && error.code === 'not_found') return undefined;
    throw error;
  }
}

function withNewName(segments: readonly string[]): string[] {
  const name = (segments.at(-1) ?? '').normalize('NFC');
  refuseUnportable([name]);
  return [...segments.slice(0, -1), name];
}

/** False when the note is no longer what the change was made from. */
function giveName(
  vault: Vault,
  { folder, name, temporary }: WriteTarget,
  { current }: Plan,
): boolean {
  if (current === undefined) return giveFreeName(folder, temporary, name);
  if (!isStill(vault, current)) return false;
  renameSync(temporary, folder.at(name));
  return true;
}

function giveFreeName(folder: OpenFolder, temporary: string, name: string): boolean {
  if (folder.find(name) !== undefined) return false;
  try {
    // Unlike a rename, a link never replaces what another program put there just now.
    linkSync(temporary, folder.at(name));
    removeIfExists(temporary);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    if (!hasNoHardLinks(error)) throw error;
    renameSync(temporary, folder.at(name));
  }
  return true;
}

/** Compares the bytes: a disk's clock is too coarse to tell two writes of one moment apart. */
function isStill(vault: Vault, { segments, bytes }: NoteFile): boolean {
  const now = readIfExists(vault, segments);
  return now?.bytes.equals(bytes) === true && now.segments.join('/') === segments.join('/');
}
