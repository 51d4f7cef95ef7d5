import { chmod, chown, mkdir, open, readlink, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ReplaceOptions {
  /** Permissions of a file that does not exist yet; an existing file keeps its own. */
  readonly mode?: number;
  /** Asked at the last moment, when the new text is on disk; false leaves the file as it is. */
  readonly isStillWanted?: () => Promise<boolean>;
}

/**
 * Replaces a file so that a reader, or a crash, finds the old text or the new one and never a part.
 * The caller holds the file's lock: the temporary file beside it has one name. Resolves with whether
 * it was replaced.
 */
export async function replaceFile(
  path: string,
  text: string,
  { mode = 0o644, isStillWanted }: ReplaceOptions = {},
): Promise<boolean> {
  const target = await followLinks(path);
  const existing = await stat(target).catch(() => undefined);
  const temporary = temporaryBeside(target);
  await mkdir(dirname(target), { recursive: true });
  await rm(temporary, { force: true });
  try {
    // Exclusive creation does not follow a link that somebody planted under this name.
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    if (existing !== undefined) {
      await chmod(temporary, existing.mode & 0o7777);
      await keepOwner(temporary, existing);
    }
    if (isStillWanted !== undefined && !(await isStillWanted())) {
      await rm(temporary, { force: true });
      return false;
    }
    await renameOver(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
  return true;
}

/** The one name under which a file's next text is prepared; hidden, because vaults show their files. */
export function temporaryBeside(target: string): string {
  return join(dirname(target), `.${basename(target)}.errand-tmp`);
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
