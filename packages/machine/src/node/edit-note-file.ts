import { lstatSync, type Stats } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { applyEdits } from '@errand/document';
import {
  FilesError,
  type HeldFile,
  holdFileWhenThere,
  type LocatedFile,
  mergeLateWrite,
  removeLeftovers,
  replaceHeldFile,
} from '@errand/files';
import { HostError, type NoteStore } from '@errand/host';
import { decodeNote, unreadableNote } from './note-file-text.ts';

type Change = Parameters<NoteStore['edit']>[1];

/** Gives up when another program keeps writing the same note. */
const attempts = 20;

/**
 * Changes a note and loses nothing that another program writes meanwhile: the change is computed again on top of it,
 * or what it wrote is kept in a copy beside the note, which the error names. Resolves with whether the note changed.
 */
export async function editNoteFile(
  path: string,
  note: LocatedFile,
  change: Change,
  signal?: AbortSignal,
): Promise<boolean> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    using held = await hold(path, note, signal);
    const text = decodeNote(path, held.bytes);
    const edited = applyEdits(text, change(text));
    if (edited === text) {
      removeLeftovers(note.folder);
      return false;
    }
    signal?.throwIfAborted();
    await refuseUnwritable(path, note);
    const written = Buffer.from(edited);
    const replaced = await explain(path, replaceHeldFile(note, held, written));
    if (replaced.kind === 'changed') continue;
    const { late } = replaced;
    if (late === null) return true;
    const overtaken = { read: held.bytes, late, written };
    const merging = mergeLateWrite(note, overtaken, (bytes) => changed(bytes, change));
    const merged = await explain(path, merging);
    if (merged.kind === 'copied') throw keptBeside(path, merged.copy);
    return true;
  }
  throw new HostError(
    'note_changed',
    `Another program keeps changing ${path}. Close it there, then run the note again.`,
  );
}

/**
 * Refuses a note that a write would change in more than its text. Replacing a file needs no write permission on it, so a
 * note that is marked read-only must be refused; a new file cannot have all names of the old one, nor any group.
 */
export async function refuseUnwritable(path: string, { folder, name }: LocatedFile): Promise<void> {
  const found = lstatSync(folder.at(name), { throwIfNoEntry: false });
  const mayWrite = (place: string) =>
    access(folder.at(place), constants.W_OK).then(
      () => true,
      () => false,
    );
  const isMarked = ((found?.mode ?? 0o200) & 0o222) === 0;
  if (isMarked || !(await mayWrite(name)) || !(await mayWrite('.'))) {
    throw new HostError(
      'note_unreadable',
      `${path} is read-only, or its folder is, so no result can be written into it. Make them writable, then run it again.`,
    );
  }
  if (found !== undefined && found.nlink > 1) {
    throw new HostError(
      'note_unreadable',
      `${path} has a second name (a hard link), from which a write would separate it. Replace it by a copy, then run it again.`,
    );
  }
  if (found !== undefined && !keepsGroup(found, lstatSync(folder.at('.')))) {
    throw new HostError(
      'note_unreadable',
      `${path} belongs to a group that you are not in, which a write would take it from. Change its group, then run it again.`,
    );
  }
}

/** Whether a new file in the folder can have the group of the old one. */
function keepsGroup({ gid }: Stats, folder: Stats): boolean {
  const { getuid, getgid, getgroups } = process;
  if (getuid === undefined || getgid === undefined || getgroups === undefined) return true;
  const isInherited = (folder.mode & 0o2000) !== 0 && folder.gid === gid;
  return getuid() === 0 || getgid() === gid || getgroups().includes(gid) || isInherited;
}

/** Opens the note. Some editors move it aside for a moment while they save. */
function hold(path: string, note: LocatedFile, signal?: AbortSignal): Promise<HeldFile> {
  return holdFileWhenThere(note, signal).catch((cause) => {
    throw unreadableNote(path, cause);
  });
}

function explain<Result>(path: string, work: Promise<Result>): Promise<Result> {
  return work.catch((cause) => {
    if (!(cause instanceof FilesError && cause.code === 'held_open')) throw cause;
    const message = `${path} is left alone: another program has it open for writing. Close it there, then run the note again.`;
    throw new HostError('note_changed', message, {}, { cause });
  });
}

/** The bytes of the note with the change in them; undefined for bytes that are no text. */
function changed(bytes: Buffer, change: Change): Buffer | undefined {
  let text: string;
  try {
    text = decodeNote('', bytes);
  } catch {
    return undefined;
  }
  return Buffer.from(applyEdits(text, change(text)));
}

function keptBeside(path: string, copy: string): HostError {
  return new HostError(
    'note_changed',
    `Another program saved ${path} while a result was being written into it. Its text is kept in ${copy}`,
    {},
    { advice: [{ kind: 'merge-copy', note: path, copy }] },
  );
}
