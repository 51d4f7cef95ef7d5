import { readFileSync } from 'node:fs';

/** A process that cannot be mistaken for a later one with the same id. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks after boot, as the kernel counts them. */
  readonly startTime: string;
}

/** Names a running process; undefined when there is none with this id. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const stat = readStat(pid);
  return stat === undefined || stat.state === 'Z' ? undefined : { pid, startTime: stat.startTime };
}

export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  return identifyProcess(pid)?.startTime === startTime;
}

function readStat(pid: number): { state: string; startTime: string } | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The second field is the program's name in brackets and may itself hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startTime: fields[19] ?? '' };
}
