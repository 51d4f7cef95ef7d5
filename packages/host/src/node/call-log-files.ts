import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The name of the log of a day. */
export function logFileName(time: number): string {
  return `calls-${new Date(time).toISOString().slice(0, 10)}.jsonl`;
}

/** The log files of a folder, the newest first. */
export async function logFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  // "calls-2026-11-15.old.jsonl" is the earlier part of that day and sorts after its later part.
  return names.filter((name) => logName.test(name)).sort(newestFirst);
}

export interface LogBounds {
  readonly logDays: number;
  readonly logMegabytes: number;
}

/** Removes what is too old, and the oldest while all together is too large. */
export async function pruneLog(folder: string, bounds: LogBounds, now: number): Promise<void> {
  const maximum = bounds.logMegabytes * 1_048_576;
  const oldest = logFileName(now - bounds.logDays * day);
  const today = logFileName(now);
  let total = 0;
  for (const name of await logFiles(folder)) {
    const path = join(folder, name);
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    total += size;
    if (name < oldest || (name !== today && total > maximum)) await rm(path, { force: true });
    // Today's log cannot go as a whole; its earlier part is set aside and goes with the next cut.
    else if (name === today && size > maximum / 2) await rename(path, join(folder, setAside(name)));
  }
  await pruneResults(join(folder, 'results'), maximum, now - bounds.logDays * day);
}

async function pruneResults(folder: string, maximum: number, oldest: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
      return { path, size, mtimeMs };
    }),
  );
  let total = 0;
  for (const { path, size, mtimeMs } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    total += size;
    if (mtimeMs < oldest || total > maximum) await rm(path, { force: true });
  }
}

const day = 86_400_000;
const logName = /^calls-\d{4}-\d\d-\d\d(?:\.old)?\.jsonl$/;

function setAside(name: string): string {
  return name.replace(/\.jsonl$/, '.old.jsonl');
}

function newestFirst(a: string, b: string): number {
  const [dayA, dayB] = [a.slice(0, 16), b.slice(0, 16)];
  if (dayA !== dayB) return dayA < dayB ? 1 : -1;
  return a.length - b.length;
}
