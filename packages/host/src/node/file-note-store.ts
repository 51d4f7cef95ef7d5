import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { applyEdits } from '@errand/document';
import { HostError } from '../host-error.ts';
import type { NoteStore } from '../note-store.ts';
import { followLinks, replaceFile, temporaryBeside } from './replace-file.ts';
import { withFileLock } from './with-file-lock.ts';

/** Another program that writes the same note again and again cannot be waited out for ever. */
const attempts = 20;

/** The notes in a folder. Locks are kept outside it, so that nothing but notes appears there. */
export function openNoteFolder(vaultFolder: string, locksFolder: string): NoteStore {
  return {
    async read(path, signal) {
      return decode(path, await readBytes(vaultFolder, path, signal));
    },

    async edit(path, change, signal) {
      const target = await followLinks(resolve(vaultFolder, path));
      const lock = join(locksFolder, createHash('sha256').update(target).digest('hex'));
      return withFileLock(
        lock,
        async () => {
          // What a killed writer left behind; nobody else is writing while we hold the lock.
          await rm(temporaryBeside(target), { force: true });
          for (let attempt = 1; attempt <= attempts; attempt += 1) {
            const before = await readBytes(vaultFolder, path, signal);
            const text = decode(path, before);
            const edited = applyEdits(text, change(text));
            if (edited === text) return false;
            signal?.throwIfAborted();
            const isStillWanted = async () => before.equals(await readBytes(vaultFolder, path));
            if (await written(path, replaceFile(target, edited, { isStillWanted }))) return true;
          }
          throw new HostError(
            'note_changed',
            `Another program keeps changing ${path}. Close it there, then run the note again.`,
          );
        },
        signal,
      );
    },
  };
}

async function readBytes(vaultFolder: string, path: string, signal?: AbortSignal): Promise<Buffer> {
  try {
    return await readFile(resolve(vaultFolder, path), signal && { signal });
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    const why = reasons[String(cause.code)] ?? cause.message;
    throw new HostError('note_unreadable', `${path} cannot be read: ${why}.`, {}, { cause });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
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
async function written(path: string, writing: Promise<boolean>): Promise<boolean> {
  try {
    return await writing;
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    const message = `${path} cannot be written (${cause.message}). It is as it was. Check its rights and the space left.`;
    throw new HostError('note_unreadable', message, {}, { cause });
  }
}
