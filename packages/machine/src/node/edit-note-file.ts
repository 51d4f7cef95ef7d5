import { lstatSync, type Stats } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { parse } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { applyEdits } from '@errand/document';
import {
  FilesError,
  type HeldFile,
  holdFile,
  type LocatedFile,
  removeLeftovers,
  replaceHeldFile,
  writeDurably,
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
    const replaced = await replace(path, note, held, edited);
    if (replaced.kind === 'changed') continue;
    if (replaced.late === null) return true;
    await mergeLate(path, note, { read: held.bytes, late: replaced.late, edited }, change);
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
async function hold(path: string, note: LocatedFile, signal?: AbortSignal): Promise<HeldFile> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await holdFile(note, signal);
    } catch (cause) {
      const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
      if (!isMissing || attempt === attempts) throw unreadableNote(path, cause);
      await sleep(5, undefined, { signal });
    }
  }
}

function replace(path: string, note: LocatedFile, held: HeldFile, text: string) {
  return replaceHeldFile(note, held, text).catch((cause) => {
    if (!(cause instanceof FilesError && cause.code === 'held_open')) throw cause;
    const message = `${path} is left alone: another program has it open for writing. Close it there, then run the note again.`;
    throw new HostError('note_changed', message, {}, { cause });
  });
}

/** A write that another program's came in between. */
interface Overtaken {
  readonly read: Buffer;
  /** What the other program made of it. */
  readonly late: Buffer;
  /** What we made of it, and wrote. */
  readonly edited: string;
}

/** Makes the change on top of what another program wrote; what cannot be merged is kept in a copy. */
async function mergeLate(
  path: string,
  note: LocatedFile,
  { read, late, edited }: Overtaken,
  change: Change,
): Promise<void> {
  using held = await hold(path, note);
  const text = decodeIfText(late);
  if (text !== undefined && held.bytes.equals(Buffer.from(edited))) {
    const merged = applyEdits(text, change(text));
    const replaced = await replace(path, note, held, merged);
    if (replaced.kind === 'replaced') {
      const again = replaced.late;
      if (again !== null && !hasAdded(merged, again, held.bytes)) await keepCopy(path, note, again);
      return;
    }
  }
  using now = await hold(path, note);
  if (!hasAdded(now.bytes.toString(), late, read)) await keepCopy(path, note, late);
}

function decodeIfText(bytes: Buffer): string | undefined {
  try {
    return decodeNote('', bytes);
  } catch {
    return undefined;
  }
}

/** Whether the text has every line that another program added to what was read: then nothing of it is lost. */
function hasAdded(text: string, added: Buffer, read: Buffer): boolean {
  const lines = new Set([...text.split('\n'), ...read.toString().split('\n')]);
  return added
    .toString()
    .split('\n')
    .every((line) => lines.has(line));
}

/** Writes what another program wrote into a file beside the note, and throws what a person must know. */
async function keepCopy(path: string, note: LocatedFile, bytes: Buffer): Promise<never> {
  const { name, ext } = parse(note.name);
  const time = new Date().toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '');
  const like = lstatSync(note.folder.at(note.name), { throwIfNoEntry: false });
  for (let count = 1; ; count += 1) {
    const copy = `${name} (conflict ${time}${count === 1 ? '' : ` ${count}`})${ext}`;
    try {
      await writeDurably(note.folder.at(copy), { bytes, like });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') continue;
      throw error;
    }
    const place = [...note.folder.segments, copy].join('/');
    throw new HostError(
      'note_changed',
      `Another program saved ${path} while a result was being written into it. Its text is kept in ${place}`,
      {},
      { advice: [{ kind: 'merge-copy', note: path, copy: place }] },
    );
  }
}
