import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { findProcess, markVariable } from '@errand/files/processes';
import spawn from 'cross-spawn';
import type { ProcessTree } from './end-process-tree.ts';
import type { LocalLaunch } from './plan-local-launch.ts';

/** Spawns a program in a process group of its own, with a mark that its descendants inherit. May throw. */
export function startChild(
  { command, args, cwd, env }: LocalLaunch,
  mark: string,
  stderr: 'pipe' | number | Writable,
): ChildProcess {
  // Where we are a child ourselves, ours are found by both marks.
  const marks = [process.env[markVariable], mark].filter(Boolean).join(' ');
  return spawn(command, [...args], {
    cwd,
    env: { ...env, [markVariable]: marks },
    stdio: ['pipe', 'pipe', stderr],
    // On Windows a group is not needed to end a tree, and a detached child would open a window.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
}

/** Describes a child that was just started, so that it can be ended with all that descends from it. */
export async function describeTree(pid: number, mark: string): Promise<ProcessTree> {
  return { pid, mark, startedAt: (await findProcess(pid))?.startedAt ?? '' };
}

/** Why the system could not start a program, and what to do; `where` is what says which program that is. */
export function startProblem(
  { code, message }: NodeJS.ErrnoException,
  { command, cwd }: Pick<LocalLaunch, 'command' | 'cwd'>,
  where: string,
): string {
  // The system blames the command when the folder is missing.
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    return `its folder ${cwd} does not exist. Make it, or change "cwd" in ${where}.`;
  }
  if (code === 'ENOENT') {
    return `there is no program at ${command}. Correct "command" in ${where}.`;
  }
  if (code === 'EACCES') {
    return `${command} is not executable. Make it so (chmod +x), or put the program that runs it (node, python) in front.`;
  }
  return message;
}
