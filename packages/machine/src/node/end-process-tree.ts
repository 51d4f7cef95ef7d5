import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findProcess, type ProcessRow, processTable, systemProgram } from '@errand/files/processes';

/** A child and everything that descends from it. */
export interface ProcessTree {
  /** The child's pid; it leads the process group of the same number. */
  readonly pid: number;
  /** When the child started, as the process table says it. */
  readonly startedAt: string;
  /** The mark that the child and its descendants carry in their environment. */
  readonly mark: string;
}

/** How long a tree may take to leave by itself at each step, in milliseconds. */
export interface ShutdownTimes {
  /** From the end of input to TERM. */
  readonly afterEndOfInput: number;
  /** From TERM to KILL. */
  readonly afterTerm: number;
}

export const defaultShutdownTimes: ShutdownTimes = { afterEndOfInput: 1000, afterTerm: 2000 };

/** Signals a tree until nothing of it runs: TERM, then KILL. Input has been ended before. */
export async function endProcessTree(tree: ProcessTree, times: ShutdownTimes): Promise<void> {
  if (process.platform === 'win32') return endWindowsTree(tree);
  if (await signalUntilGone(tree, 'SIGTERM', times.afterTerm)) return;
  // A process that forks while it is killed is seen by the next round.
  for (let round = 0; round < 10; round += 1) {
    if (await signalUntilGone(tree, 'SIGKILL', 1000)) return;
  }
}

/** The processes of the table that belong to the tree: its group, and those with its marker variable. */
export function membersOf(tree: ProcessTree, table: readonly ProcessRow[]): ProcessRow[] {
  // A pid is not reused while its group has members. So a leader that started at another
  // time leads a foreign group, and a group without a leader is what remains of ours.
  const leader = table.find((row) => row.pid === tree.pid);
  const isOurGroup = leader === undefined || leader.startedAt === tree.startedAt;
  return table.filter(
    ({ group, marks }) => (isOurGroup && group === tree.pid) || marks.includes(tree.mark),
  );
}

async function signalUntilGone(
  tree: ProcessTree,
  signal: NodeJS.Signals,
  patienceMs: number,
): Promise<boolean> {
  const members = membersOf(tree, await processTable(tree));
  for (const member of members) send(member.pid, signal);
  const deadline = performance.now() + patienceMs;
  let living = members;
  while (living.length > 0 && performance.now() < deadline) {
    await sleep(20);
    living = await stillRunning(living);
  }
  return living.length === 0 && membersOf(tree, await processTable(tree)).length === 0;
}

async function stillRunning(rows: readonly ProcessRow[]): Promise<ProcessRow[]> {
  const found = await Promise.all(rows.map((row) => findProcess(row.pid)));
  return rows.filter((row, index) => found[index]?.startedAt === row.startedAt);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended between the look at the table and now.
  }
}

async function endWindowsTree({ pid, startedAt }: ProcessTree): Promise<void> {
  if ((await findProcess(pid))?.startedAt !== startedAt) return;
  // taskkill fails when the process is already gone, which is what we want.
  await promisify(execFile)(systemProgram('taskkill'), ['/T', '/F', '/PID', String(pid)]).catch(
    () => undefined,
  );
}
