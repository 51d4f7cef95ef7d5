import { lstatSync, readdirSync, renameSync } from 'node:fs';
import { type OpenFolder, removeIfExists } from '@errand/files';

/** The name of the log of a day. */
export function logFileName(time: number): string {
  return `calls-${new Date(time).toISOString().slice(0, 10)}.jsonl`;
}

/** The log files of a folder, the newest first. What only looks like one by its name is left out. */
export function logFiles(folder: OpenFolder): readonly string[] {
  // "calls-2026-11-15.old.jsonl" is the earlier part of that day and sorts after its later part.
  return plainFiles(folder, logName).sort(newestFirst);
}

/** Whether a result of this name is one that we keep, and may remove. */
export const resultName = /^[\w-]{1,100}$/;

export interface LogBounds {
  readonly logDays: number;
  readonly logMegabytes: number;
}

/** Removes what is too old, and the oldest while all together is too large. */
export function pruneLog(folder: OpenFolder, bounds: LogBounds, now: number): void {
  const maximum = bounds.logMegabytes * 1_048_576;
  const oldest = logFileName(now - bounds.logDays * day);
  const today = logFileName(now);
  let total = 0;
  for (const name of logFiles(folder)) {
    const { size = 0 } = lstatSync(folder.at(name), { throwIfNoEntry: false }) ?? {};
    total += size;
    if (name < oldest || (name !== today && total > maximum)) removeIfExists(folder.at(name));
    // Today's log cannot go as a whole; its earlier part is set aside and goes with the next cut.
    else if (name === today && size > maximum / 2)
      renameSync(folder.at(name), folder.at(setAside(name)));
  }
}

/** Removes kept results that are too old, and the oldest while all together are too large. */
export function pruneResults(folder: OpenFolder, bounds: LogBounds, now: number): void {
  const maximum = bounds.logMegabytes * 1_048_576;
  const oldest = now - bounds.logDays * day;
  const files = plainFiles(folder, resultName).map((name) => {
    const found = lstatSync(folder.at(name), { throwIfNoEntry: false });
    return { name, size: found?.size ?? 0, mtimeMs: found?.mtimeMs ?? now };
  });
  let total = 0;
  for (const { name, size, mtimeMs } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    total += size;
    if (mtimeMs < oldest || total > maximum) removeIfExists(folder.at(name));
  }
}

const day = 86_400_000;
const logName = /^calls-\d{4}-\d\d-\d\d(?:\.old)?\.jsonl$/;

function plainFiles(folder: OpenFolder, pattern: RegExp): string[] {
  return readdirSync(folder.at('.'), { withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map(({ name }) => name);
}

function setAside(name: string): string {
  return name.replace(/\.jsonl$/, '.old.jsonl');
}

function newestFirst(a: string, b: string): number {
  const [dayA, dayB] = [a.slice(0, 16), b.slice(0, 16)];
  if (dayA !== dayB) return dayA < dayB ? 1 : -1;
  return a.length - b.length;
}
