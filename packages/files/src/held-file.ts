import { closeSync, constants, fstatSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LocatedFile, openFileInSync } from './open-file.ts';

/** A file that is held open, with its bytes as they were read. Another file may get its name meanwhile. */
export interface HeldFile extends Disposable {
  readonly descriptor: number;
  readonly bytes: Buffer;
  readonly stamp: FileStamp;
}

/** Tells a file from another one, and one state of it from most others. */
export interface FileStamp {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** A program that writes in place and pauses for longer is noticed only by its open file. */
const quietMs = 50;

/** Opens and reads a file once no other program is in the middle of writing it in place. */
export async function holdFile(file: LocatedFile, signal?: AbortSignal): Promise<HeldFile> {
  const { descriptor } = openFileInSync(file, constants.O_RDONLY);
  try {
    for (;;) {
      const before = await waitUntilQuiet(descriptor, signal);
      const bytes = readAll(descriptor);
      const stamp = stampOf(descriptor);
      if (isSameState(before, stamp)) {
        return { descriptor, bytes, stamp, [Symbol.dispose]: () => closeSync(descriptor) };
      }
    }
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** How often a file is looked for that an editor may have moved aside while it saves. */
const looks = 20;

/** The same; a file that is not there this moment is waited for. */
export async function holdFileWhenThere(
  file: LocatedFile,
  signal?: AbortSignal,
): Promise<HeldFile> {
  for (let look = 1; ; look += 1) {
    try {
      return await holdFile(file, signal);
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isMissing || look === looks) throw error;
      await sleep(5, undefined, { signal });
    }
  }
}

/** The whole of an open file, from its beginning. */
export function readAll(descriptor: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const part = Buffer.allocUnsafe(Math.max(Number(stampOf(descriptor).size) - at, 0) + 1);
    const count = readSync(descriptor, part, 0, part.length, at);
    if (count === 0) return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    parts.push(part.subarray(0, count));
    at += count;
  }
}

/** The stamp of an open file. */
export function stampOf(descriptor: number): FileStamp {
  const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(descriptor, { bigint: true });
  return { dev, ino, size, mtimeNs, ctimeNs };
}

/** Whether two stamps are of one file, and its content has not been written between them. */
export function isSameState(a: FileStamp, b: FileStamp): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;
}

async function waitUntilQuiet(descriptor: number, signal?: AbortSignal): Promise<FileStamp> {
  let stamp = stampOf(descriptor);
  while (isBeingWritten(stamp)) {
    await sleep(quietMs, undefined, { signal });
    const now = stampOf(descriptor);
    // The clock of a remote disk may be ahead, so that nothing having changed is enough.
    if (isSameState(stamp, now)) return now;
    stamp = now;
  }
  return stamp;
}

/** A file that was renamed, or given its rights, after it was written is complete. */
function isBeingWritten({ mtimeNs, ctimeNs }: FileStamp): boolean {
  return ctimeNs <= mtimeNs && Date.now() - Number(mtimeNs / 1_000_000n) < quietMs;
}
