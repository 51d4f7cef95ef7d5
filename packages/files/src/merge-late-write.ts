import { lstatSync } from 'node:fs';
import { parse } from 'node:path';
import { holdFileWhenThere } from './held-file.ts';
import type { LocatedFile } from './open-file.ts';
import { replaceHeldFile } from './replace-held-file.ts';
import { writeDurably } from './write-durably.ts';

/** A replacement of a file that another program's write came in between. */
export interface LateWrite {
  /** What both began with. */
  readonly read: Buffer;
  /** What the other program made of it. */
  readonly late: Buffer;
  /** What we made of it, which is in the file. */
  readonly written: Uint8Array;
}

/** The bytes of the file with both changes, or the path of the copy that keeps what the other program wrote. */
export type MergedWrite =
  | { readonly kind: 'merged'; readonly bytes: Uint8Array }
  | { readonly kind: 'copied'; readonly copy: string };

/**
 * Makes a change on top of what another program wrote in the moment of the replacement; what cannot be merged is kept
 * in a file beside it. `change` gives undefined for bytes that it cannot change.
 */
export async function mergeLateWrite(
  file: LocatedFile,
  { read, late, written }: LateWrite,
  change: (bytes: Buffer) => Uint8Array | undefined,
): Promise<MergedWrite> {
  using held = await holdFileWhenThere(file);
  const merged = held.bytes.equals(written) ? change(late) : undefined;
  if (merged !== undefined) {
    const replaced = await replaceHeldFile(file, held, merged);
    if (replaced.kind === 'replaced') {
      const again = replaced.late;
      if (again === null || hasAdded(merged, again, held.bytes)) {
        return { kind: 'merged', bytes: merged };
      }
      return { kind: 'copied', copy: await keepCopy(file, again) };
    }
  }
  using now = await holdFileWhenThere(file);
  if (hasAdded(now.bytes, late, read)) return { kind: 'merged', bytes: now.bytes };
  return { kind: 'copied', copy: await keepCopy(file, late) };
}

/** Whether a text has every line that another program added to what was read: then nothing of it is lost. */
function hasAdded(text: Uint8Array, added: Buffer, read: Buffer): boolean {
  const linesOf = (bytes: Uint8Array) => Buffer.from(bytes).toString().split('\n');
  const lines = new Set([...linesOf(text), ...linesOf(read)]);
  return linesOf(added).every((line) => lines.has(line));
}

/** Writes bytes into a new file beside this one, and gives its path from the root. */
async function keepCopy(file: LocatedFile, bytes: Buffer): Promise<string> {
  const { folder } = file;
  const { name, ext } = parse(file.name);
  const time = new Date().toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '');
  const like = lstatSync(folder.at(file.name), { throwIfNoEntry: false });
  for (let count = 1; ; count += 1) {
    const copy = `${name} (conflict ${time}${count === 1 ? '' : ` ${count}`})${ext}`;
    try {
      await writeDurably(folder.at(copy), { bytes, like });
      return [...folder.segments, copy].join('/');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
