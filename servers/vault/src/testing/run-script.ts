import { type ChildProcess, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';

/** Runs TypeScript in a process of its own, whose imports are relative to a folder. */
export function runScript(
  folder: string,
  script: string,
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}
