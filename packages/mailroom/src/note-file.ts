import { lstatSync } from 'node:fs';
import { readParts } from '@errand/document/frontmatter';
import { type ContainedRoot, FilesError, readFileBelow } from '@errand/files';
import type { MailNote } from './note-head.ts';

/** Bytes; no mail is so large. */
export const largestNote = 4 * 1024 * 1024;

/** A note of which nothing is read. */
export const tooLarge: ParsedNote = {
  values: {},
  body: '',
  problem: 'it is larger than 4 MB',
};

type ParsedNote = Pick<MailNote, 'values' | 'body' | 'problem' | 'frontmatter'>;

/** What a note says, or why its frontmatter cannot be read. */
export function parseNote(text: string): ParsedNote {
  const { split: parts, parsed } = readParts(text);
  const body = text.slice(parts.bodyStart);
  if (parsed?.status === 'broken') {
    const problem = `line ${parsed.line + 1}: ${parsed.reason}`;
    return { values: {}, body, problem, frontmatter: text.slice(0, parts.bodyStart) };
  }
  return { values: parsed?.values ?? {}, body };
}

/** The text of a note; nothing when there is none. */
export async function readNoteText(root: ContainedRoot, path: string): Promise<string | undefined> {
  try {
    const bytes = await readFileBelow(root, path.split('/'), { maximumSize: largestNote });
    return bytes.toString();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** What a disk knows of a file. */
export interface FileFacts {
  readonly isFile: boolean;
  readonly isFolder: boolean;
  readonly inode: string;
  readonly names: number;
  readonly changedAt: number;
  readonly size: number;
}

/** What is at a path. The number of a file may be larger than a number of ours is exact. */
export function factsOf(path: string): FileFacts | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (stats === undefined) return undefined;
  return {
    isFile: stats.isFile(),
    isFolder: stats.isDirectory(),
    inode: `${stats.dev}:${stats.ino}`,
    names: Number(stats.nlink),
    changedAt: Number(stats.mtimeNs) / 1e6,
    size: Number(stats.size),
  };
}

/** Whether a failure means that there is no such file. */
export function isMissing(error: unknown): boolean {
  if (error instanceof FilesError) return error.code === 'missing';
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
