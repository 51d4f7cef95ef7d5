import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { OpenFolder } from './open-folder.ts';
import { sharedNames } from './processes/instance.ts';

/** A path in a folder under which this process alone prepares a file; disposing it removes what is there. */
export interface TemporaryFile extends Disposable {
  readonly name: string;
  readonly path: string;
}

/** Files of this process that it is still writing, also by an earlier instance that is going away. */
const current = sharedNames('temporary-files');

export function temporaryFileIn(folder: Pick<OpenFolder, 'at'>): TemporaryFile {
  const name = temporaryName();
  const path = folder.at(name);
  current.add(name);
  return {
    name,
    path,
    [Symbol.dispose]() {
      current.delete(name);
      removeIfExists(path);
    },
  };
}

/** The name is hidden, because vaults show their files, and says whose it is for when that one is killed. */
export function temporaryName(): string {
  return `.errand-${machine()}-${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
}

/** Whether a name is one of `temporaryName`'s. */
export function isTemporaryName(name: string): boolean {
  return pattern.test(name);
}

/** Removes a file, if it is there. */
export function removeIfExists(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) unlinkSync(path);
}

/** Removes the temporary files in a folder that killed processes left behind, as far as that is allowed. */
export function removeLeftovers(folder: Pick<OpenFolder, 'at'>): void {
  try {
    for (const name of readdirSync(folder.at('.'))) {
      const [, host, pid] = pattern.exec(name) ?? [];
      if (host === undefined || current.has(name)) continue;
      // Another machine's processes cannot be asked about.
      const isLeft =
        host === machine() ? !isRunning(Number(pid)) : isOld(folder.at(name), Date.now());
      if (isLeft) removeIfExists(folder.at(name));
    }
  } catch (error) {
    // We may neither read nor remove it, and it does no harm.
    if (!(error instanceof Error && 'syscall' in error)) throw error;
  }
}

/** Brings a folder's names to the disk; not every system lets a folder be opened for that. */
export async function syncFolder(folder: Pick<OpenFolder, 'at'>): Promise<void> {
  const handle = await open(folder.at('.')).catch(() => undefined);
  if (handle === undefined) return;
  await using opened = handle;
  await opened.sync().catch((error: NodeJS.ErrnoException) => {
    if (['EIO', 'ENOSPC', 'EDQUOT'].includes(error.code ?? '')) throw error;
  });
}

const pattern = /^\.errand-([0-9a-f]{8})-(\d+)-[0-9a-f]{12}\.tmp$/;
const oldAfter = 60 * 60 * 1000;

/** A vault may lie on a drive that several machines write to. */
function machine(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

function isRunning(pid: number): boolean {
  // A file of our own number that we do not know is an earlier process's.
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isOld(path: string, now: number): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && now - found.mtimeMs > oldAfter;
}
