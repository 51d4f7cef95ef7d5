import { spawn } from 'node:child_process';
import { once } from 'node:events';

interface LockOptions {
  readonly mode: 'exclusive' | 'shared';
  /** Whether to wait while others hold it; without, the answer is then undefined. */
  readonly wait: boolean;
}

/**
 * Holds a lock of the kernel's on a file until it is disposed. A small process keeps it and ends with
 * this one whatever happens, so that no lock outlives its owner.
 */
export async function lockFile(
  path: string,
  { mode, wait }: LockOptions,
): Promise<AsyncDisposable | undefined> {
  const keeper = spawn(
    'flock',
    [`--${mode}`, ...(wait ? [] : ['--nonblock']), path, 'sh', '-c', 'echo held; exec cat'],
    // Detached, for Ctrl-C in a terminal must not take the lock away before we have cleaned up.
    { detached: true, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const ended = once(keeper, 'close');
  const isHeld = await Promise.race([
    once(keeper.stdout, 'data').then(() => true),
    ended.then(() => false),
  ]);
  if (!isHeld) {
    if (keeper.exitCode === 1 && !wait) return undefined;
    throw new Error(`Cannot lock ${path}: flock ended with ${keeper.exitCode}.`);
  }
  return {
    async [Symbol.asyncDispose]() {
      keeper.stdin.end();
      await ended;
    },
  };
}
