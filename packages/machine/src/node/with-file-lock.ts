import { constants, lstatSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FilesError, type LocatedFile, openFileIn } from '@errand/files';
import { HostError } from '@errand/host';
import { z } from 'zod';
import { findProcess } from './process-table.ts';

interface LockTimes {
  /** Milliseconds after which the waiting ends with an error that names who holds the lock. */
  readonly patience?: number;
  /** Work under a lock is short: one whose owner cannot be asked is left over after this. */
  readonly abandonedAfter?: number;
}

/** Does the work while no other process that locks the same file does its own. The lock lies beside the file. */
export async function withFileLock<Result>(
  file: Pick<LocatedFile, 'root' | 'folder' | 'name'>,
  work: () => Promise<Result>,
  signal?: AbortSignal,
  { patience = 10_000, abandonedAfter = 5_000 }: LockTimes = {},
): Promise<Result> {
  const lock = { ...file, name: `${file.name}.lock` };
  await take(lock, patience, abandonedAfter, signal);
  try {
    return await work();
  } finally {
    await rm(pathOf(lock), { force: true });
  }
}

type Lock = Pick<LocatedFile, 'root' | 'folder' | 'name'>;

function pathOf({ folder, name }: Lock): string {
  return folder.at(name);
}

async function take(
  lock: Lock,
  patience: number,
  abandonedAfter: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const startedAt = await startOf(process.pid);
  const owner: LockOwner = { pid: process.pid, startedAt, host: hostname() };
  const started = performance.now();
  let seen: { readonly holder: string; readonly at: number } | undefined;
  while (!(await create(pathOf(lock), JSON.stringify(owner)))) {
    signal?.throwIfAborted();
    const holder = await readLock(lock);
    if (holder === undefined) continue;
    const now = performance.now();
    if (holder !== seen?.holder) seen = { holder, at: now };
    const gone = (await isGone(holder)) ?? now - seen.at > abandonedAfter;
    if (gone) await removeLeftOver(lock, holder, abandonedAfter);
    else if (now - started > patience) throw busy(lock, holder);
    else await sleep(10, undefined, { signal });
  }
}

/** What a lock says of its owner; nothing when it is gone. What is no file says nothing, and is not read. */
async function readLock(lock: Lock): Promise<string | undefined> {
  try {
    await using file = await openFileIn(lock, constants.O_RDONLY);
    return await file.readFile('utf8');
  } catch (error) {
    if (error instanceof FilesError) return '';
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function create(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    // The file was made, but a full disk did not take its text.
    await rm(path, { force: true });
    throw error;
  }
}

const lockOwner = z.object({
  pid: z.int().positive(),
  /** Tells the process from a later one of the same number; not every system says it. */
  startedAt: z.string().optional(),
  host: z.string(),
});
type LockOwner = z.infer<typeof lockOwner>;

async function startOf(pid: number): Promise<string | undefined> {
  return (await findProcess(pid))?.startedAt;
}

/** Whether the owner has ended; nothing when that cannot be known from here. */
async function isGone(holder: string): Promise<boolean | undefined> {
  const owner = parseOwner(holder);
  if (owner?.host !== hostname() || owner.startedAt === undefined) return undefined;
  return (await startOf(owner.pid)) !== owner.startedAt;
}

/** A lock that was only just created is still empty. */
function parseOwner(text: string): LockOwner | undefined {
  try {
    return lockOwner.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Two who find the same left-over lock must not remove the lock that one of them takes next. */
async function removeLeftOver(lock: Lock, holder: string, abandonedAfter: number): Promise<void> {
  const guard = `${pathOf(lock)}.broken`;
  if (!(await create(guard, ''))) {
    const madeAt = lstatSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - madeAt > abandonedAfter) await rm(guard, { force: true });
    return sleep(10);
  }
  try {
    if ((await readLock(lock)) === holder) await rm(pathOf(lock), { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

function busy({ root, folder, name }: Lock, holder: string): HostError {
  const lock = join(root.root, ...folder.segments, name);
  const who = parseOwner(holder)?.pid;
  return new HostError(
    'settings_invalid',
    `${who === undefined ? 'Another program' : `Process ${who}`} holds ${lock} and does not let go. End it, or delete that file, and try again.`,
  );
}
