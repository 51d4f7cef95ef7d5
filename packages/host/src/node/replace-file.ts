import { chmod, chown, mkdir, open, readlink, rename, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeLeftOvers, temporaryFileIn } from './temporary-file.ts';

export interface ReplaceOptions {
  /** Permissions of a file that does not exist yet; an existing file keeps its own. */
  readonly mode?: number;
  /** Asked at the last moment, when the new content is on disk; false leaves the file as it is. */
  readonly isStillWanted?: () => Promise<boolean>;
}

/**
 * Replaces a file so that a reader, or a crash, finds the old content or the new one and never a part.
 * Resolves with whether it was replaced.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o644, isStillWanted }: ReplaceOptions = {},
): Promise<boolean> {
  const target = await followLinks(path);
  const folder = dirname(target);
  const existing = await stat(target).catch(() => undefined);
  await mkdir(folder, { recursive: true });
  await removeLeftOvers(folder);
  await using temporary = temporaryFileIn(folder);
  await writeDurably(temporary.path, content, mode);
  if (existing !== undefined) {
    await chmod(temporary.path, existing.mode & 0o7777);
    await keepOwner(temporary.path, existing);
  }
  if (isStillWanted !== undefined && !(await isStillWanted())) return false;
  await renameOver(temporary.path, target);
  await syncFolder(folder);
  return true;
}

async function writeDurably(path: string, content: string | Uint8Array, mode: number) {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The file behind symbolic links, whether or not it exists yet. */
export async function followLinks(path: string): Promise<string> {
  let target = resolve(path);
  for (let hops = 0; hops < 40; hops += 1) {
    const next = await readlink(target).catch(() => undefined);
    if (next === undefined) return target;
    target = resolve(dirname(target), next);
  }
  throw new Error(`${path} is a circle of symbolic links. Delete one of them.`);
}

/** Root who edits a person's file must not take it away from them. */
async function keepOwner(path: string, owner: { readonly uid: number; readonly gid: number }) {
  if (process.getuid?.() === 0) await chown(path, owner.uid, owner.gid);
}

/** Windows refuses while a reader has the file open, which passes. */
async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await rename(from, to);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      const passes = process.platform === 'win32' && (code === 'EPERM' || code === 'EBUSY');
      if (!passes || attempt === 20) throw error;
      await sleep(25);
    }
  }
}

/** The new name is on disk only when the folder is; not every system lets a folder be opened. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync().catch(() => undefined);
  } finally {
    await handle?.close();
  }
}
