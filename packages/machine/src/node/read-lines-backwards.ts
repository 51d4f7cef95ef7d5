import type { FileHandle } from 'node:fs/promises';

/** The lines of a file from the last to the first, without reading more of it than is asked for. */
export async function* readLinesBackwards(
  file: FileHandle,
  chunkSize = 65_536,
): AsyncGenerator<string> {
  let end = (await file.stat()).size;
  /** What was read and not given yet: the rest of a line whose beginning lies before it. */
  let rest: Buffer[] = [];
  while (end > 0) {
    const start = Math.max(0, end - chunkSize);
    const chunk = Buffer.alloc(end - start);
    await file.read(chunk, 0, chunk.length, start);
    end = start;
    // Cut at line ends only, so that no character is torn where two chunks meet.
    const cut = start === 0 ? 0 : chunk.indexOf(10) + 1;
    if (start > 0 && cut === 0) {
      rest = [chunk, ...rest];
      continue;
    }
    const text = Buffer.concat([chunk.subarray(cut), ...rest]).toString('utf8');
    rest = [chunk.subarray(0, cut)];
    for (const line of text.split('\n').reverse()) if (line !== '') yield line;
  }
}
