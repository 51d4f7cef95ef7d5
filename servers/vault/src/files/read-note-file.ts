import { readSync } from 'node:fs';
import { VaultError } from '../vault-error.ts';
import { type OpenNote, openNote } from './open-note.ts';
import type { Vault } from './vault.ts';

export interface NoteFile {
  readonly segments: readonly string[];
  readonly bytes: Buffer;
  readonly modified: Date;
  readonly mode: number;
  /** How many names the file has on the disk; more than one means that some may be elsewhere. */
  readonly links: number;
}

/** The largest file read as a note: above it, one call could exhaust the server's memory. */
export const maximumNoteSize = 100 * 1024 * 1024;

/** Reads a note whole. */
export function readNoteFile(vault: Vault, segments: readonly string[]): NoteFile {
  using note = openNote(vault, segments);
  const { size, mtime, mode, nlink } = note.stats;
  if (size > maximumNoteSize) {
    throw new VaultError(
      'invalid_input',
      `${note.segments.join('/')} has ${size} bytes; notes of up to ${maximumNoteSize} can be read.`,
    );
  }
  return {
    segments: note.segments,
    bytes: readWhole(note),
    modified: mtime,
    mode,
    links: nlink,
  };
}

/** Reads to the end, not to the size seen at first: another program may be appending. */
function readWhole({ descriptor, stats }: OpenNote): Buffer {
  let bytes = Buffer.allocUnsafe(stats.size + 1);
  let length = 0;
  for (;;) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, null);
    length += count;
    if (count === 0 || length > maximumNoteSize) return bytes.subarray(0, length);
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(length)]);
  }
}
