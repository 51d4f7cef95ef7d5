import { constants, lstatSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FilesError } from './files-error.ts';
import { type LocatedFile, openFileIn } from './open-file.ts';
import { findProcess, isDroppedInstance, ownInstance, pidSpace } from './processes/index.ts';

// `proper-lockfile` resolves links, touches the lock by a timer (a process that is stopped or busy loses it)
// and locks by path, not in a folder that is held open; therefore this one.

export interface LockTimes {
  /** Milliseconds after which waiting fails with `locked`, naming who holds the lock. */
  readonly patience?: number;
  /** Work under a lock is short: a lock whose owner cannot be looked up is stale after this. */
  readonly abandonedAfter?: number;
}

/**
 * Runs the work under an exclusive lock on the file, across all processes. The lock
 * is a file beside it. A lock of a process that has ended is taken over at once, and the work is told so.
 */
export async function withFileLock<Result>(
  file: Lock,
  work: (wasAbandoned: boolean) => Promise<Result>,
  signal?: AbortSignal,
  { patience = 10_000, abandonedAfter = 5_000 }: LockTimes = {},
): Promise<Result> {
  const lock = { ...file, name: `${file.name}.lock` };
  const wasAbandoned = await take(lock, patience, abandonedAfter, signal);
  try {
    return await work(wasAbandoned);
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
): Promise<boolean> {
  const owner = await ownerText();
  const started = performance.now();
  let wasAbandoned = false;
  let seen: { readonly holder: string; readonly at: number } | undefined;
  while (!(await create(pathOf(lock), owner))) {
    signal?.throwIfAborted();
    const holder = await readLock(lock);
    if (holder === undefined) continue;
    const now = performance.now();
    if (holder !== seen?.holder) seen = { holder, at: now };
    const gone = (await isGone(holder)) ?? now - seen.at > abandonedAfter;
    wasAbandoned = gone;
    if (gone) await removeStale(lock, holder, abandonedAfter);
    else if (now - started > patience) throw locked(lock, holder);
    else await sleep(10, undefined, { signal });
  }
  return wasAbandoned;
}

/** What a lock says of its owner; undefined when it is gone. What is not a file is not read. */
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
    // Synchronous: one small file costs less than a turn of the thread pool.
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    // The file was made, but a full disk did not take its text.
    await rm(path, { force: true });
    throw error;
  }
}

interface LockOwner {
  readonly pid: number;
  /** Tells the process from a later one with the same pid; not every system says it. */
  readonly startedAt?: string;
  /** Where the pid means something: a machine, and the container or sandbox on it. */
  readonly host: string;
  /** Tells it from others in the same process. */
  readonly instance?: string;
}

function thisHost(): string {
  return `${hostname()} ${pidSpace()}`;
}

let own: Promise<string> | undefined;

/** The text of locks of this process. Looked up once: on some systems that starts a program. */
function ownerText(): Promise<string> {
  own ??= findProcess(process.pid).then((row) => {
    const instance = ownInstance();
    const owner = { pid: process.pid, startedAt: row?.startedAt, host: thisHost(), instance };
    return JSON.stringify(owner);
  });
  return own;
}

/** Whether the owner has ended; undefined when that cannot be known from here. */
async function isGone(holder: string): Promise<boolean | undefined> {
  const owner = parseOwner(holder);
  if (owner?.host !== thisHost() || owner.startedAt === undefined) return undefined;
  if (isDroppedInstance(owner.pid, owner.instance)) return true;
  return (await findProcess(owner.pid))?.startedAt !== owner.startedAt;
}

/** Undefined for text that is not a lock's: one that was only just created is still empty. */
function parseOwner(text: string): LockOwner | undefined {
  try {
    const found = JSON.parse(text) as Partial<Record<string, unknown>>;
    const { pid, startedAt, host, instance } = found;
    if (!Number.isSafeInteger(pid) || Number(pid) < 1 || typeof host !== 'string') return undefined;
    return {
      pid: Number(pid),
      host,
      ...(typeof startedAt === 'string' && { startedAt }),
      ...(typeof instance === 'string' && { instance }),
    };
  } catch {
    return undefined;
  }
}

/** Two who find the same stale lock must not remove the lock that one of them takes next. */
async function removeStale(lock: Lock, holder: string, abandonedAfter: number): Promise<void> {
  const guard = `${pathOf(lock)}.broken`;
  if (!(await create(guard, ''))) {
    const madeAt = lstatSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    // A clock that was set back must not keep it for as long as it was wrong.
    if (Math.abs(Date.now() - madeAt) > abandonedAfter) await rm(guard, { force: true });
    return sleep(10);
  }
  try {
    if ((await readLock(lock)) === holder) await rm(pathOf(lock), { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

function locked({ root, folder, name }: Lock, holder: string): FilesError {
  const path = join(root.root, ...folder.segments, name);
  const pid = parseOwner(holder)?.pid;
  const who = pid === undefined ? 'Another program' : `Process ${pid}`;
  return new FilesError(
    'locked',
    [...folder.segments, name],
    () => `${who} holds ${path} and does not let go. End it, or delete that file, and try again.`,
  );
}
