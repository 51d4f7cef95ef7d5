import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * When a process started, as text that is the same for every observer; nothing when there is no such
 * process. With it a process is told from a later one that got the same number.
 */
export async function processStart(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    // The second field is the program's name and may hold blanks and brackets; count after it.
    return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  }
  if (process.platform === 'win32') return isAlive(pid) ? 'alive' : undefined;
  const ps = promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]);
  return ps.then(
    ({ stdout }) => stdout.trim() || undefined,
    () => undefined,
  );
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
