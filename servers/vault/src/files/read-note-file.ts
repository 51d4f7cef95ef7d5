import { fstatSync, readSync, type Stats } from 'node:fs';
import { VaultError } from '../vault-error.ts';
import { type OpenNote, openNote } from './open-note.ts';
import type { Vault } from './vault.ts';

export interface NoteFile {
  /** Its path from the vault's folder, as the disk spells it and without symbolic links. */
  readonly segments: readonly string[];
  readonly bytes: Buffer;
  readonly stats: Stats;
}

/** The largest file taken for a note: above it, one call could exhaust the server's memory. */
export const maximumNoteSize = 100 * 1024 * 1024;

const maximumReadings = 5;

/** Reads a note whole, again if another program wrote into it meanwhile. */
export function readNoteFile(vault: Vault, segments: readonly string[]): NoteFile {
  using note = openNote(vault, segments);
  let { stats } = note;
  for (let reading = 1; ; reading++) {
    refuseTooLarge(note.segments, stats.size);
    const bytes = readWhole(note, stats.size);
    const after = fstatSync(note.descriptor);
    if (isUnchanged(stats, after) || reading === maximumReadings) {
      return { segments: note.segments, bytes, stats: after };
    }
    stats = after;
  }
}

/** Whether nobody wrote to a file between two looks at it. */
function isUnchanged(before: Stats, after: Stats): boolean {
  return (
    before.size === after.size &&
    before.mtimeMs === after.mtimeMs &&
    before.ctimeMs === after.ctimeMs &&
    before.ino === after.ino
  );
}

/** Refuses a size that one call could not handle. */
export function refuseTooLarge(segments: readonly string[], size: number): void {
  if (size <= maximumNoteSize) return;
  throw new VaultError(
    'invalid_input',
    `${segments.join('/')} has ${size} bytes; a note may have ${maximumNoteSize}.`,
  );
}

/** Reads to the end, not to the size seen at first: another program may be appending. */
function readWhole({ descriptor }: OpenNote, size: number): Buffer {
  let bytes = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, length);
    length += count;
    if (count === 0 || length > maximumNoteSize) return bytes.subarray(0, length);
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(length)]);
  }
}
