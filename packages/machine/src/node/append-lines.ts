import type { FileHandle } from 'node:fs/promises';

const newline = 0x0a;

/**
 * Appends lines with one write, after completing a torn last line. Returns how many were written
 * whole: on a full disk, fewer than were given.
 */
export async function appendLines(file: FileHandle, lines: readonly string[]): Promise<number> {
  const { size } = await file.stat();
  const last = Buffer.alloc(1, newline);
  if (size > 0) await file.read(last, 0, 1, size - 1);
  const before = last[0] === newline ? '' : '\n';
  const bytes = Buffer.from(before + lines.join(''));
  const { bytesWritten } = await file.write(bytes);
  return bytesWritten === bytes.length
    ? lines.length
    : wholeLines(lines, bytesWritten - before.length);
}

function wholeLines(lines: readonly string[], bytesWritten: number): number {
  let bytes = 0;
  const torn = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line);
    return bytes > bytesWritten;
  });
  return torn === -1 ? lines.length : torn;
}
