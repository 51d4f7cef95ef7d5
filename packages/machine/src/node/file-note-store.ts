import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { applyEdits } from '@errand/document';
import {
  type ContainedRoot,
  FilesError,
  fileAt,
  type LocatedFile,
  locateFile,
  openContainedRoot,
  readFileBelow,
  removeLeftovers,
  replaceFile,
  systemReason,
  withFileLock,
} from '@errand/files';
import type { NoteStore } from '@errand/host';
import { HostError } from '@errand/host';

/** Gives up when another program keeps writing the same note. */
const attempts = 20;

/**
 * The notes in a folder. Links are followed as long as they stay in it and lead to nothing hidden. Locks are
 * kept outside it, so that nothing but notes appears there.
 */
export function openNoteFolder(vaultFolder: string, locksFolder: string): NoteStore {
  const locked = async <Result>(
    path: string,
    note: LocatedFile,
    work: () => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> => {
    const target = join(note.root.root, ...note.segments);
    const lock = join(locksFolder, createHash('sha256').update(target).digest('hex'));
    try {
      using file = await fileAt(lock);
      return await withFileLock(file, () => explained(path, work), signal);
    } catch (cause) {
      if (cause instanceof FilesError) {
        throw new HostError(
          'note_unreadable',
          `${path} is left alone: ${cause.message}`,
          {},
          { cause },
        );
      }
      throw isFromSystem(cause) ? unlocked(path, locksFolder, cause) : cause;
    }
  };
  return {
    async read(path, signal) {
      const segments = segmentsOf(vaultFolder, path);
      return decode(path, await readBytes(path, rootOf(path, vaultFolder), segments, signal));
    },

    async ensureWritable(path, signal) {
      using note = locate(path, vaultFolder);
      await refuseReadOnly(path, note);
      await locked(path, note, async () => {}, signal);
    },

    async edit(path, change, signal) {
      using note = locate(path, vaultFolder);
      return await locked(path, note, () => editFile(path, note, change, signal), signal);
    },
  };
}

/** Throws when a note is not there, or is reached by a link that leads out of the vault or to something hidden. */
export function ensureInVault(vaultFolder: string, path: string): void {
  using _note = locate(path, vaultFolder);
}

/** The names of a note's path; what is not in the vault is not read either. */
function segmentsOf(vaultFolder: string, path: string): readonly string[] {
  const inside = relative(vaultFolder, resolve(vaultFolder, path));
  if (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)) {
    return inside.split(sep);
  }
  throw new HostError(
    'note_unreadable',
    `${path} is not in the vault. Name a note by its path inside it.`,
  );
}

function rootOf(path: string, vaultFolder: string): ContainedRoot {
  try {
    return openContainedRoot(vaultFolder);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** The file behind all links, so that two paths to one note share a lock. */
function locate(path: string, vaultFolder: string): LocatedFile {
  try {
    return locateFile(rootOf(path, vaultFolder), segmentsOf(vaultFolder, path));
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

async function editFile(
  path: string,
  note: LocatedFile,
  change: Parameters<NoteStore['edit']>[1],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { root, segments, folder } = note;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const before = await readBytes(path, root, segments, signal);
    const text = decode(path, before);
    const edited = applyEdits(text, change(text));
    if (edited === text) {
      removeLeftovers(folder);
      return false;
    }
    signal?.throwIfAborted();
    await refuseReadOnly(path, note);
    const isStillWanted = async () => before.equals(await readBytes(path, root, segments));
    if (await replaceFile(note, edited, { isStillWanted })) return true;
  }
  throw new HostError(
    'note_changed',
    `Another program keeps changing ${path}. Close it there, then run the note again.`,
  );
}

/** Replacing a file needs no write permission on it; a note marked read-only must stay unchanged. */
async function refuseReadOnly(path: string, { folder, name }: LocatedFile): Promise<void> {
  const isMarked =
    ((lstatSync(folder.at(name), { throwIfNoEntry: false })?.mode ?? 0o200) & 0o222) === 0;
  const mayWrite = (place: string) =>
    access(folder.at(place), constants.W_OK).then(
      () => true,
      () => false,
    );
  if (!isMarked && (await mayWrite(name)) && (await mayWrite('.'))) return;
  throw new HostError(
    'note_unreadable',
    `${path} is read-only, or its folder is, so no result can be written into it. Make them writable, then run it again.`,
  );
}

async function readBytes(
  path: string,
  root: ContainedRoot,
  segments: readonly string[],
  signal?: AbortSignal,
): Promise<Buffer> {
  try {
    return await readFileBelow(root, segments, {}, signal);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** The error to throw for an error of the file system about a note. */
function unreadable(path: string, cause: unknown): unknown {
  if (isMissing(cause))
    return new HostError('note_unreadable', `There is no note ${path}.`, {}, { cause });
  if (cause instanceof FilesError) {
    const why = cause.code === 'outside' ? cause.message : `${reasons[cause.code]}.`;
    return new HostError('note_unreadable', `${path} cannot be read: ${why}`, {}, { cause });
  }
  if (!(cause instanceof Error && 'code' in cause) || cause.name === 'AbortError') return cause;
  const why = reasons[String(cause.code)] ?? systemReason(cause);
  return new HostError('note_unreadable', `${path} cannot be read: ${why}.`, {}, { cause });
}

function isMissing(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'missing' || code === 'ENOENT';
}

const reasons: Readonly<Record<string, string>> = {
  not_a_file: 'it is a folder, or no plain file',
  not_a_folder: 'a part of its path is no folder',
  replaced: 'another program replaced it meanwhile; try again',
  EACCES: 'you may not read it',
  ELOOP: 'another program put a link in its place; try again',
};

function decode(path: string, bytes: Buffer): string {
  try {
    // A byte order mark is part of the text: it must still be there after an edit.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const message = `${path} is not UTF-8 text. Save it as UTF-8 in your editor, then try again.`;
    throw new HostError('note_unreadable', message, {}, { cause });
  }
}

/** A failed write leaves the note as it was; this says why. */
async function explained<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (!isFromSystem(cause)) throw cause;
    const message = `${path} cannot be written (${systemReason(cause)}). It is as it was. Check its rights and the space left.`;
    throw new HostError('note_unreadable', message, {}, { cause });
  }
}

/** Two writers without a lock could lose each other's results. */
function unlocked(path: string, locksFolder: string, cause: Error): HostError {
  const message = `${path} is left alone, because Errand cannot keep its locks in ${locksFolder} (${systemReason(cause)}). Make that folder writable, then run it again.`;
  return new HostError('note_unreadable', message, {}, { cause });
}

function isFromSystem(cause: unknown): cause is Error {
  return cause instanceof Error && 'syscall' in cause;
}
