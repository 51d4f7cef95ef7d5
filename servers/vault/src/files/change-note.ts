import { fstatSync, linkSync, lstatSync, renameSync } from 'node:fs';
import {
  type HeldFile,
  hasNoHardLinks,
  holdFileWhenThere,
  type LocatedFile,
  mergeLateWrite,
  type OpenFolder,
  rememberMadeFile,
  removeIfExists,
  replaceHeldFile,
  syncFolder,
  temporaryFileIn,
  writeDurably,
} from '@errand/files';
import { VaultError } from '../vault-error.ts';
import { refuseUnportable } from './note-path.ts';
import { inVaultTerms, openFolder } from './open-folder.ts';
import { findNote } from './open-note.ts';
import { type NoteFile, refuseTooLarge } from './read-note-file.ts';
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
 * Takes the lock only to give the name, so that nobody waits for the disk. Undefined when the note changed meanwhile.
 */
async function tryChange(
  vault: Vault,
  lock: VaultLock,
  segments: readonly string[],
  change: NoteChange,
): Promise<ChangedNote | undefined> {
  using file = findIfExists(vault, segments);
  try {
    return file === undefined
      ? await createNote(vault, lock, withNewName(segments), change)
      : await replaceNote(vault, lock, file, change);
  } catch (error) {
    return inVaultTerms(vault, () => {
      throw error;
    });
  }
}

/** Nothing that another program writes meanwhile is lost: it is changed in turn, or kept in a copy that the error names. */
async function replaceNote(
  vault: Vault,
  lock: VaultLock,
  file: LocatedFile,
  change: NoteChange,
): Promise<ChangedNote | undefined> {
  const { segments } = file;
  const size = lstatSync(file.folder.at(file.name), { throwIfNoEntry: false })?.size;
  if (size === undefined) return undefined;
  refuseTooLarge(segments, size);
  using note = await holdIfExists(file);
  if (note === undefined) return undefined;
  const noteOf = (bytes: Buffer) => ({ segments, bytes, stats: fstatSync(note.descriptor) });
  const current = noteOf(note.bytes);
  const bytes = change(current);
  refuseTooLarge(segments, bytes.length);
  await refuseSharedFile(vault, lock, current);
  if (note.bytes.equals(bytes)) return { ...current, created: false };
  const replaced = await replaceHeldFile(file, note, bytes, (task) => lock.run(task));
  if (replaced.kind === 'changed') return undefined;
  const { late } = replaced;
  if (late === null) return { segments, bytes, created: false };
  const overtaken = { read: note.bytes, late, written: bytes };
  const merged = await mergeLateWrite(file, overtaken, (theirs) => {
    try {
      return change(noteOf(theirs));
    } catch {
      // What the caller asked for cannot be done on top of it.
      return undefined;
    }
  });
  if (merged.kind === 'merged') return { segments, bytes: merged.bytes, created: false };
  const path = segments.join('/');
  throw new VaultError(
    'conflict',
    `Another program saved ${path} while it was being changed. The change was made; what that program saved is kept in ${merged.copy}`,
    { path, copy: merged.copy },
  );
}

async function holdIfExists(file: LocatedFile): Promise<HeldFile | undefined> {
  try {
    return await holdFileWhenThere(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function createNote(
  vault: Vault,
  lock: VaultLock,
  segments: readonly string[],
  change: NoteChange,
): Promise<ChangedNote | undefined> {
  const bytes = change(undefined);
  refuseTooLarge(segments, bytes.length);
  using folder = openFolder(vault, segments.slice(0, -1), { create: true });
  using temporary = temporaryFileIn(folder);
  const name = segments.at(-1) ?? '';
  await writeDurably(temporary.path, { bytes, like: undefined });
  const written = lstatSync(temporary.path, { bigint: true });
  if (!(await lock.run(() => giveFreeName(folder, temporary.path, name)))) return undefined;
  rememberMadeFile({ folder, name }, written);
  await syncFolder(folder);
  return { segments: [...folder.segments, name], bytes, created: true };
}

function findIfExists(vault: Vault, segments: readonly string[]): LocatedFile | undefined {
  try {
    return inVaultTerms(vault, () => findNote(vault, segments));
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
