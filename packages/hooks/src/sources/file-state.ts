import { lstat } from 'node:fs/promises';

/** What tells one version of a file from another. */
export interface FileState {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** What is at a path; links are not followed, because a vault must not make us look elsewhere. */
export async function fileStateAt(
  path: string,
): Promise<FileState | 'folder' | 'other' | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.isDirectory()) return 'folder';
  if (!found.isFile()) return 'other';
  const { ino, size, mtimeMs, ctimeMs } = found;
  return { ino, size, mtimeMs, ctimeMs };
}

/** Whether a file was not written in between; other rights alone are no change. */
export function isSameFile(a: FileState, b: FileState): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;
}
