import { createHash } from 'node:crypto';
import { access, constants, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { applyEdits } from '@errand/document';
import { HostError } from '../host-error.ts';
import type { NoteStore } from '../note-store.ts';
import { followLinks, replaceFile } from './replace-file.ts';
import { removeLeftOvers } from './temporary-file.ts';
import { withFileLock } from './with-file-lock.ts';

/** Another program that writes the same note again and again cannot be waited out for ever. */
const attempts = 20;

/** The notes in a folder. Locks are kept outside it, so that nothing but notes appears there. */
export function openNoteFolder(vaultFolder: string, locksFolder: string): NoteStore {
  const locked = async <Result>(
    path: string,
    target: string,
    work: () => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> => {
    const lock = join(locksFolder, createHash('sha256').update(target).digest('hex'));
    try {
      return await withFileLock(lock, () => explained(path, work), signal);
    } catch (cause) {
      throw isFromSystem(cause) ? unlocked(path, locksFolder, cause) : cause;
    }
  };
  return {
    async read(path, signal) {
      return decode(path, await readBytes(path, fileOf(vaultFolder, path), signal));
    },

    async ensureWritable(path, signal) {
      const target = await realFile(path, fileOf(vaultFolder, path));
      await refuseReadOnly(path, target);
      await locked(path, target, async () => {}, signal);
    },

    async edit(path, change, signal) {
      const target = await realFile(path, fileOf(vaultFolder, path));
      return locked(path, target, () => editFile(path, target, change, signal), signal);
    },
  };
}

/** Where a note is; what is not in the vault is not read either. */
function fileOf(vaultFolder: string, path: string): string {
  const file = resolve(vaultFolder, path);
  const inside = relative(vaultFolder, file);
  if (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)) return file;
  throw new HostError(
    'note_unreadable',
    `${path} is not in the vault. Name a note by its path inside it.`,
  );
}

/** The file behind all links: two ways to one note must not be two notes. */
async function realFile(path: string, file: string): Promise<string> {
  const target = await followLinks(file);
  try {
    return join(await realpath(dirname(target)), basename(target));
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

async function editFile(
  path: string,
  target: string,
  change: Parameters<NoteStore['edit']>[1],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const before = await readBytes(path, target, signal);
    const text = decode(path, before);
    const edited = applyEdits(text, change(text));
    if (edited === text) {
      await removeLeftOvers(dirname(target));
      return false;
    }
    signal?.throwIfAborted();
    await refuseReadOnly(path, target);
    const isStillWanted = async () => before.equals(await readBytes(path, target));
    if (await replaceFile(target, edited, { isStillWanted })) return true;
  }
  throw new HostError(
    'note_changed',
    `Another program keeps changing ${path}. Close it there, then run the note again.`,
  );
}

/** Replacing a file needs no right to write it; a person who took that right away meant it. */
async function refuseReadOnly(path: string, target: string): Promise<void> {
  const isMarked = await stat(target).then(
    ({ mode }) => (mode & 0o222) === 0,
    () => false,
  );
  const mayWrite = (place: string) =>
    access(place, constants.W_OK).then(
      () => true,
      () => false,
    );
  if (!isMarked && (await mayWrite(target)) && (await mayWrite(dirname(target)))) return;
  throw new HostError(
    'note_unreadable',
    `${path} is read-only, or its folder is, so no result can be written into it. Make them writable, then run it again.`,
  );
}

async function readBytes(path: string, file: string, signal?: AbortSignal): Promise<Buffer> {
  try {
    return await readFile(file, signal && { signal });
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** What to throw instead of a system's error about a note. */
function unreadable(path: string, cause: unknown): unknown {
  if (!(cause instanceof Error && 'code' in cause) || cause.name === 'AbortError') return cause;
  const why = reasons[String(cause.code)] ?? cause.message;
  return new HostError('note_unreadable', `${path} cannot be read: ${why}.`, {}, { cause });
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
  ENOTDIR: 'a part of its path is no folder',
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
    const message = `${path} cannot be written (${cause.message}). It is as it was. Check its rights and the space left.`;
    throw new HostError('note_unreadable', message, {}, { cause });
  }
}

/** Two writers without a lock could lose each other's results. */
function unlocked(path: string, locksFolder: string, cause: Error): HostError {
  const message = `${path} is left alone, because Errand cannot keep its locks in ${locksFolder} (${cause.message}). Make that folder writable, then run it again.`;
  return new HostError('note_unreadable', message, {}, { cause });
}

function isFromSystem(cause: unknown): cause is Error {
  return cause instanceof Error && 'syscall' in cause;
}
