import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HostError } from '../host-error.ts';
import { isRecord } from '../settings/canonical-json.ts';
import { processStart } from './process-start.ts';
import { followLinks } from './replace-file.ts';

/** Who waits longer than this is told who holds the lock. */
const patience = 10_000;
/** Work under a lock takes milliseconds; one whose owner cannot be asked is left over after this. */
const abandonedAfter = 5_000;

/** Does the work while no other process that locks the same file does its own. */
export async function withFileLock<Result>(
  path: string,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const lock = `${await followLinks(path)}.lock`;
  await mkdir(dirname(lock), { recursive: true });
  await waitFor(lock, signal);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function waitFor(lock: string, signal: AbortSignal | undefined): Promise<void> {
  const me = JSON.stringify(await thisProcess());
  const started = performance.now();
  let seen: { readonly holder: string; readonly at: number } | undefined;
  while (!(await create(lock, me))) {
    signal?.throwIfAborted();
    const holder = await readFile(lock, 'utf8').catch(() => undefined);
    if (holder === undefined) continue;
    const now = performance.now();
    if (holder !== seen?.holder) seen = { holder, at: now };
    if (await isLeftOver(holder, now - seen.at)) await remove(lock, holder);
    else if (now - started > patience) throw busy(lock, holder);
    else await sleep(10, undefined, { signal });
  }
}

async function create(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(text);
    await file.close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function thisProcess() {
  return { pid: process.pid, start: await processStart(process.pid), host: hostname() };
}

async function isLeftOver(holder: string, seenFor: number): Promise<boolean> {
  const owner = parseOwner(holder);
  if (owner?.host !== hostname()) return seenFor > abandonedAfter;
  return (await processStart(owner.pid)) !== owner.start;
}

/** A lock that was only just created is still empty. */
function parseOwner(text: string) {
  try {
    const owner: unknown = JSON.parse(text);
    if (!isRecord(owner) || typeof owner.pid !== 'number') return undefined;
    return { pid: owner.pid, start: owner.start, host: owner.host };
  } catch {
    return undefined;
  }
}

/** Two who find the same left-over lock must not remove the lock that one of them takes next. */
async function remove(lock: string, holder: string): Promise<void> {
  const guard = `${lock}.broken`;
  if (!(await create(guard, ''))) {
    const { mtimeMs } = await stat(guard).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > abandonedAfter) await rm(guard, { force: true });
    return sleep(10);
  }
  try {
    const now = await readFile(lock, 'utf8').catch(() => undefined);
    if (now === holder) await rm(lock, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

function busy(lock: string, holder: string): HostError {
  const pid = parseOwner(holder)?.pid;
  return new HostError(
    'settings_invalid',
    `${pid === undefined ? 'Another program' : `Process ${pid}`} has held ${lock} for ${patience / 1000} seconds. End it, or delete that file, and try again.`,
  );
}
