import { constants, type Stats } from 'node:fs';
import type { ContainedRoot } from './contained-root.ts';
import { FilesError } from './files-error.ts';
import type { LinkOptions } from './follow-link.ts';
import { locateFile, openFileIn } from './open-file.ts';

/** The whole of a file, and where it really is. */
export interface FileContent {
  /** Its path from the root, as the disk spells it and without symbolic links. */
  readonly segments: readonly string[];
  readonly bytes: Buffer;
  readonly stats: Stats;
}

/** Reads the file that a path leads to. */
export async function readFileBelow(
  root: ContainedRoot,
  segments: readonly string[],
  options: LinkOptions = {},
  signal?: AbortSignal,
): Promise<FileContent> {
  for (let attempt = 1; ; attempt++) {
    try {
      using file = locateFile(root, segments, options);
      await using handle = await openFileIn(file, constants.O_RDONLY);
      const bytes = await handle.readFile(signal && { signal });
      return { segments: file.segments, bytes, stats: await handle.stat() };
    } catch (error) {
      // A program that saves puts a new file in the place of the old one, which then is there.
      const isPassing = error instanceof FilesError && error.code === 'replaced';
      if (!isPassing || attempt === maximumAttempts) throw error;
    }
  }
}

const maximumAttempts = 5;
