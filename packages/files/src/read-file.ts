import { closeSync, constants, readFile, readFileSync } from 'node:fs';
import type { ContainedRoot } from './contained-root.ts';
import { FilesError } from './files-error.ts';
import type { LinkOptions } from './follow-link.ts';
import { type LocatedFile, locateFile, openFileInSync } from './open-file.ts';

interface ReadOptions extends LinkOptions {
  /** Bytes; a larger file is refused with `too_large`. */
  readonly maximumSize?: number;
}

/** The whole of the file that a path leads to. */
export async function readFileBelow(
  root: ContainedRoot,
  segments: readonly string[],
  options: ReadOptions = {},
  signal?: AbortSignal,
): Promise<Buffer> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      using file = locateFile(root, segments, options);
      return await readLocated(file, options.maximumSize, signal);
    } catch (error) {
      // A program that saves puts a new file in the place of the old one, which then is there.
      const isPassing = error instanceof FilesError && error.code === 'replaced';
      if (!isPassing || attempt === maximumAttempts) throw error;
    }
  }
}

const maximumAttempts = 5;

/** Larger files are waited for. For small ones, waiting takes many times longer than reading. */
const largestAtOnce = 256 * 1024;

async function readLocated(
  file: LocatedFile,
  maximumSize = Number.POSITIVE_INFINITY,
  signal?: AbortSignal,
): Promise<Buffer> {
  const { descriptor, stats } = openFileInSync(file, constants.O_RDONLY);
  try {
    if (stats.size > maximumSize) {
      const sentence = (path: string) =>
        `${path} has ${stats.size} bytes, and at most ${maximumSize} are read.`;
      throw new FilesError('too_large', file.segments, sentence);
    }
    if (stats.size <= largestAtOnce) return readFileSync(descriptor);
    return await new Promise((resolve, reject) => {
      readFile(descriptor, { ...(signal && { signal }) }, (error, bytes) =>
        error === null ? resolve(bytes) : reject(error),
      );
    });
  } finally {
    closeSync(descriptor);
  }
}
