import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** A running process; zombies are not in the table. */
export interface ProcessRow {
  readonly pid: number;
  readonly group: number;
  /** Together with the pid this names one process for ever: pids are used again. */
  readonly startedAt: string;
  /** The mark in its environment, where the system lets us read it (Linux). */
  readonly mark?: string;
}

/** The variable by which we find again what a child of ours started, and what those started. */
export const markVariable = 'ERRAND_CHILD';

/** Every process of this machine that we may know about. */
export async function processTable(): Promise<ProcessRow[]> {
  if (process.platform !== 'linux') return parseProcessList(await runPs([]));
  return readdirSync('/proc').flatMap((name) => {
    const row = /^\d+$/.test(name) ? readProc(Number(name)) : undefined;
    if (row === undefined) return [];
    const mark = readMark(row.pid);
    return [mark === undefined ? row : { ...row, mark }];
  });
}

/** The process of that pid, unless it is gone. */
export async function findProcess(pid: number): Promise<ProcessRow | undefined> {
  if (process.platform === 'linux') return readProc(pid);
  return parseProcessList(await runPs(['-p', String(pid)]))[0];
}

function readProc(pid: number): ProcessRow | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  // The command stands in parentheses and may itself contain spaces and parentheses.
  const [state, , group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticksSinceBoot = rest[16];
  if (ticksSinceBoot === undefined || state === 'Z' || state === 'X') return undefined;
  return { pid, group: Number(group), startedAt: `${bootId()} ${ticksSinceBoot}` };
}

function readMark(pid: number): string | undefined {
  const environment = `\0${readOrNothing(`/proc/${pid}/environ`)}`;
  const start = environment.indexOf(`\0${markVariable}=`);
  if (start === -1) return undefined;
  const from = start + markVariable.length + 2;
  const end = environment.indexOf('\0', from);
  return environment.slice(from, end === -1 ? undefined : end);
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It ended meanwhile, or belongs to somebody else.
    return '';
  }
}

let cachedBootId: string | undefined;
function bootId(): string {
  cachedBootId ??= readOrNothing('/proc/sys/kernel/random/boot_id').trim();
  return cachedBootId;
}

async function runPs(selection: readonly string[]): Promise<string> {
  if (process.platform === 'win32') return '';
  const all = selection.length === 0 ? ['-A'] : selection;
  try {
    const ps = await promisify(execFile)(
      'ps',
      [...all, '-o', 'pid=', '-o', 'pgid=', '-o', 'stat=', '-o', 'lstart='],
      { env: { ...process.env, LC_ALL: 'C' } },
    );
    return ps.stdout;
  } catch {
    // ps fails when the process it was asked about is gone.
    return '';
  }
}

/** Reads what `ps -o pid= -o pgid= -o stat= -o lstart=` prints. */
export function parseProcessList(text: string): ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, group, state, startedAt] =
      /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (startedAt === undefined || state?.startsWith('Z')) return [];
    return [{ pid: Number(pid), group: Number(group), startedAt }];
  });
}
