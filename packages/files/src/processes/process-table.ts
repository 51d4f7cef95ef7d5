import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { systemProgram } from './system-program.ts';

/** A running process; zombies are not in the table. */
export interface ProcessRow {
  readonly pid: number;
  /** Its process group; on Windows, which has none, the process itself. */
  readonly group: number;
  /** Together with the pid this names one process for ever: pids are used again. */
  readonly startedAt: string;
  /** Whether it was stopped and waits to be continued. */
  readonly isStopped: boolean;
  /** The marks in its environment, where the system lets us read them (Linux). */
  readonly marks: readonly string[];
}

/** The variable by which we find again what a child of ours started, and what those started. */
export const markVariable = 'ERRAND_CHILD';

/** Every process of this machine, with the marks of those that are not older than the given one. */
export async function processTable(oldest: Pick<ProcessRow, 'startedAt'>): Promise<ProcessRow[]> {
  if (process.platform !== 'linux') return parseProcessList(await listProcesses());
  const since = ticksOf(oldest.startedAt);
  return readdirSync('/proc').flatMap((name) => {
    const row = /^\d+$/.test(name) ? readProc(Number(name)) : undefined;
    if (row === undefined) return [];
    // To read a whole environment costs more than all the rest.
    return [ticksOf(row.startedAt) < since ? row : { ...row, marks: readMarks(row.pid) }];
  });
}

/** The process of that pid, unless it is gone. */
export async function findProcess(pid: number): Promise<ProcessRow | undefined> {
  if (process.platform === 'linux') return readProc(pid);
  return parseProcessList(await listProcesses(pid)).find((row) => row.pid === pid);
}

/** The name of the space in which pids are unique: this machine, or this container on it. */
export function pidSpace(): string {
  if (process.platform !== 'linux') return hostname();
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return hostname();
  }
}

/** Reads the lines `pid group state start`, as `ps` prints them. */
export function parseProcessList(text: string): ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, group, state, startedAt] =
      /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (startedAt === undefined || state?.startsWith('Z')) return [];
    const isStopped = state?.startsWith('T') ?? false;
    return [{ pid: Number(pid), group: Number(group), startedAt, isStopped, marks: [] }];
  });
}

function readProc(pid: number): ProcessRow | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  // The command stands in parentheses and may itself contain spaces and parentheses.
  const [state, , group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticksSinceBoot = rest[16];
  if (ticksSinceBoot === undefined || state === 'Z' || state === 'X') return undefined;
  const startedAt = `${bootId()} ${ticksSinceBoot}`;
  const isStopped = state === 'T' || state === 't';
  return { pid, group: Number(group), startedAt, isStopped, marks: [] };
}

function ticksOf(startedAt: string): number {
  return Number(startedAt.split(' ')[1] ?? 0);
}

function readMarks(pid: number): string[] {
  const environment = `\0${readOrNothing(`/proc/${pid}/environ`)}`;
  const start = environment.indexOf(`\0${markVariable}=`);
  if (start === -1) return [];
  const from = start + markVariable.length + 2;
  const end = environment.indexOf('\0', from);
  return environment.slice(from, end === -1 ? undefined : end).split(' ');
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

/** All processes, or one, as lines `pid group state start`. */
async function listProcesses(pid?: number): Promise<string> {
  const [program, args] =
    process.platform === 'win32'
      ? ([
          systemProgram('powershell'),
          ['-NoProfile', '-NonInteractive', '-Command', powershellList(pid)],
        ] as const)
      : ([
          systemProgram('ps'),
          [...(pid === undefined ? ['-A'] : ['-p', `${pid}`]), ...psColumns],
        ] as const);
  try {
    const options = { env: { ...process.env, LC_ALL: 'C' }, windowsHide: true };
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch {
    // ps fails when the process it was asked about is gone.
    return '';
  }
}

const psColumns = ['-o', 'pid=', '-o', 'pgid=', '-o', 'stat=', '-o', 'lstart='];

function powershellList(pid?: number): string {
  const filter = pid === undefined ? '' : ` -Filter "ProcessId=${pid}"`;
  const line = `'{0} {0} R {1}' -f $_.ProcessId, $_.CreationDate.ToFileTimeUtc()`;
  return `Get-CimInstance Win32_Process${filter} | ForEach-Object { ${line} }`;
}
