import { closeSync, constants, lstatSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import {
  type LocatedFile,
  type OpenFolder,
  openContainedRoot,
  openFileInSync,
  openFolder,
  removeIfExists,
} from '@errand/files';

/** The logs that a vault has. */
export type LogName = 'calls' | 'hooks';

/** The name of the file of a day. */
export function logFileName(log: LogName, time: number): string {
  const number = Math.floor(time / day);
  // Asked for every call, and nearly always for the same day.
  if (number !== lastDay) {
    lastDate = new Date(time).toISOString().slice(0, 10);
    lastDay = number;
  }
  return `${log}-${lastDate}.jsonl`;
}

let lastDay: number | undefined;
let lastDate = '';

/** The files of a log in a folder, the newest first. What only looks like one by its name is left out. */
export function logFiles(folder: OpenFolder, log: LogName): readonly string[] {
  // "calls-2026-11-15.old.jsonl" is the earlier part of that day and sorts after its later part.
  return plainFiles(folder, logNames[log]).sort(newestFirst);
}

/** Whether a result of this name is one that we keep, and may remove. */
export const resultName = /^[\w-]{1,100}$/;

export interface LogBounds {
  readonly logDays: number;
  readonly logMegabytes: number;
}

/** Removes what is too old, and the oldest while all together is too large. */
export function pruneLog(folder: OpenFolder, log: LogName, bounds: LogBounds, now: number): void {
  const maximum = bounds.logMegabytes * 1_048_576;
  const oldest = logFileName(log, now - bounds.logDays * day);
  const today = logFileName(log, now);
  let total = 0;
  for (const name of logFiles(folder, log)) {
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
const logNames = {
  calls: /^calls-\d{4}-\d\d-\d\d(?:\.old)?\.jsonl$/,
  hooks: /^hooks-\d{4}-\d\d-\d\d(?:\.old)?\.jsonl$/,
} as const;

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

/** Where the lines of the log are, and where the results are that had no room in a note. */
export const logPaths = {
  lines: ['.errand', 'log'],
  results: ['.errand', 'log', 'results'],
} as const;

/** One of these folders, held open. */
export interface LogFolder extends Disposable, Pick<LocatedFile, 'root' | 'folder'> {}

/**
 * Opens a folder of the log and makes it when it is missing. No link is followed on the way. A new log is ignored by
 * git; whoever wants it there removes the file that says so.
 */
export function makeLogFolder(vault: string, part: keyof typeof logPaths): LogFolder {
  const found = findLogFolder(vault, part);
  if (found !== undefined) return found;
  using log = findLogFolder(vault, 'lines');
  if (log === undefined) {
    using made = open(vault, 'lines', true);
    ignoreInGit(made);
  }
  return open(vault, part, true);
}

function ignoreInGit(log: LogFolder): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  try {
    const { descriptor } = openFileInSync({ ...log, name: '.gitignore' }, flags, 0o644);
    writeFileSync(descriptor, '*\n');
    closeSync(descriptor);
  } catch {
    // Another program was faster, or the disk refuses: then the log itself says why.
  }
}

/** Opens a folder of the log if it is there. */
export function findLogFolder(vault: string, part: keyof typeof logPaths): LogFolder | undefined {
  try {
    return open(vault, part, false);
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 'missing' || code === 'ENOENT') return undefined;
    throw error;
  }
}

function open(vault: string, part: keyof typeof logPaths, create: boolean): LogFolder {
  const root = openContainedRoot(vault);
  const mode = part === 'results' ? 0o700 : 0o777;
  const folder = openFolder(root, logPaths[part], { links: 'none', create, mode });
  return { root, folder, [Symbol.dispose]: folder[Symbol.dispose] };
}

const newline = 0x0a;

/**
 * Appends lines with one write, after completing a torn last line. Returns how many were written
 * whole: on a full disk, fewer than were given.
 */
export async function appendLines(file: FileHandle, lines: readonly string[]): Promise<number> {
  const { size } = await file.stat();
  const last = Buffer.alloc(1, newline);
  if (size > 0) await file.read(last, 0, 1, size - 1);
  const before = last[0] === newline ? '' : '\n';
  const bytes = Buffer.from(before + lines.join(''));
  const { bytesWritten } = await file.write(bytes);
  return bytesWritten === bytes.length
    ? lines.length
    : wholeLines(lines, bytesWritten - before.length);
}

function wholeLines(lines: readonly string[], bytesWritten: number): number {
  let bytes = 0;
  const torn = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line);
    return bytes > bytesWritten;
  });
  return torn === -1 ? lines.length : torn;
}
