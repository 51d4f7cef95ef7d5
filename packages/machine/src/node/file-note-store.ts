import { createHash } from 'node:crypto';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import {
  type ContainedRoot,
  FilesError,
  fileAt,
  type LocatedFile,
  locateFile,
  openContainedRoot,
  readFileBelow,
  systemReason,
  withFileLock,
} from '@errand/files';
import type { EarlierRun, NoteStore } from '@errand/host';
import { HostError } from '@errand/host';
import { editNoteFile, refuseUnwritable } from './edit-note-file.ts';
import { decodeNote, unreadableNote } from './note-file-text.ts';

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
    const lock = join(locksFolder, hashOf(target));
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
      return decodeNote(path, await readBytes(path, rootOf(path, vaultFolder), segments, signal));
    },

    async ensureWritable(path, signal) {
      using note = locate(path, vaultFolder);
      await refuseUnwritable(path, note);
      await locked(path, note, async () => {}, signal);
    },

    whileRunning: openRunLocks(vaultFolder, locksFolder),

    async edit(path, change, signal) {
      using note = locate(path, vaultFolder);
      return await locked(path, note, () => editNoteFile(path, note, change, signal), signal);
    },
  };
}

/**
 * Runs work while no other program runs the same request of a note. Everything that runs acting blocks of a vault uses
 * the same folder of locks, however it stores the note's text.
 */
export function openRunLocks(
  vaultFolder: string,
  locksFolder: string,
): NonNullable<NoteStore['whileRunning']> {
  return async (path, request, work, signal) => {
    const target = targetOf(path, vaultFolder);
    const lock = join(locksFolder, hashOf(`${target}\n${request}`));
    let hasBegun = false;
    const begin = (earlier: EarlierRun) => (wasAbandoned: boolean) => {
      hasBegun = true;
      return work(wasAbandoned ? 'interrupted' : earlier);
    };
    try {
      using file = await fileAt(lock);
      try {
        return await withFileLock(file, begin('none'), signal, { ...whileCalling, patience: 0 });
      } catch (error) {
        if (hasBegun || !(error instanceof FilesError)) throw error;
      }
      return await withFileLock(file, begin('ended'), signal, whileCalling);
    } catch (cause) {
      throw !hasBegun && isFromSystem(cause) ? unlocked(path, locksFolder, cause) : cause;
    }
  };
}

/** A call may take five minutes; whose lock cannot be looked up, on another machine, is given more. */
const whileCalling = { patience: Number.POSITIVE_INFINITY, abandonedAfter: 600_000 };

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The path of a note behind all links. */
function targetOf(path: string, vaultFolder: string): string {
  using note = locate(path, vaultFolder);
  return join(note.root.root, ...note.segments);
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
    throw unreadableNote(path, cause);
  }
}

/** The file behind all links, so that two paths to one note share a lock. */
function locate(path: string, vaultFolder: string): LocatedFile {
  try {
    return locateFile(rootOf(path, vaultFolder), segmentsOf(vaultFolder, path));
  } catch (cause) {
    throw unreadableNote(path, cause);
  }
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
    throw unreadableNote(path, cause);
  }
}

/** A failed write leaves the note as it was; this says why. */
async function explained<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (!isFromSystem(cause)) throw cause;
    const message = `${path} cannot be written (${systemReason(cause)}). It is as it was. Check its permissions and the free disk space.`;
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
