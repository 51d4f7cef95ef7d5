import { createHash, randomBytes } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** A path in a folder under which this process alone prepares a file; disposing it removes what is there. */
export interface TemporaryFile extends AsyncDisposable {
  readonly path: string;
}

/** Files of this process that it is still writing. */
const current = new Set<string>();

/** The name is hidden, because vaults show their files, and says whose it is for when that one is killed. */
export function temporaryFileIn(folder: string): TemporaryFile {
  const name = `.errand-${machine()}-${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
  const path = join(folder, name);
  current.add(name);
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      current.delete(name);
      await rm(path, { force: true });
    },
  };
}

/** Removes the temporary files in a folder that killed processes left behind. */
export async function removeLeftOvers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, host, pid] = pattern.exec(name) ?? [];
    if (host === undefined || current.has(name)) continue;
    const path = join(folder, name);
    const isAbandoned = host === machine() && !isRunning(Number(pid));
    if (isAbandoned || (await isOld(path))) await rm(path, { force: true });
  }
}

const pattern = /^\.errand-([0-9a-f]{8})-(\d+)-[0-9a-f]{12}\.tmp$/;

/** Another machine's processes cannot be asked about; nor is one of our number always who it was. */
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

async function isOld(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > oldAfter;
}
