import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { FileStamp } from './held-file.ts';

/** A program that has a file open for writing. */
export interface FileWriter {
  readonly pid: number;
  /** Whether it still has. */
  isOpen(): boolean;
}

/** The programs that have a file of this name open for writing, where the kernel cannot be asked; none where the system does not show them. */
export async function findWriters(name: string, file: FileStamp): Promise<readonly FileWriter[]> {
  if (process.platform !== 'linux') return [];
  const writers: FileWriter[] = [];
  const pids = namesIn('/proc').filter((pid) => /^\d+$/.test(pid) && pid !== `${process.pid}`);
  for (const [index, pid] of pids.entries()) {
    // Thousands of descriptors may be open, and others wait for this process.
    if (index % 32 === 31) await setImmediate();
    for (const descriptor of namesIn(`/proc/${pid}/fd`)) {
      const isOpen = () => isWritten(pid, descriptor, name, file);
      if (isOpen()) writers.push({ pid: Number(pid), isOpen });
    }
  }
  return writers;
}

/** Programs end and close files while we look at them, and those of other users are not shown. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isWritten(pid: string, descriptor: string, name: string, file: FileStamp): boolean {
  try {
    const path = `/proc/${pid}/fd/${descriptor}`;
    const target = readlinkSync(path).replace(/ \(deleted\)$/, '');
    if (!target.endsWith(`/${name}`)) return false;
    const { dev, ino } = statSync(path, { bigint: true });
    if (dev !== file.dev || ino !== file.ino) return false;
    const [, flags = '0'] =
      /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & 3) !== 0;
  } catch {
    return false;
  }
}
