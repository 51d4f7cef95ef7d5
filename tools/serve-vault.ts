import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const errand = join(import.meta.dirname, '../apps/cli/bin/errand.cjs');

/** Runs `errand serve --open` on a vault until it ends or this program is told to; resolves with the exit code. */
export async function serveVault(
  vault: string,
  { args = [], env = process.env }: { args?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<number> {
  const child = spawn(process.execPath, [errand, 'serve', '--open', '--vault', vault, ...args], {
    env,
    // By the channel it notices when this process is gone, and leaves too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // npm ends only the shell it started us with; whoever is without it leaves too.
  const shell = process.ppid;
  setInterval(() => {
    if (process.ppid !== shell) child.kill('SIGTERM');
  }, 500).unref();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

interface BackgroundOptions {
  /** Where this user's state would be. */
  readonly home: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs `errand serve` until it is disposed, with nothing of this user around it. */
export async function serveInBackground(
  vault: string,
  { home, args = [], env = process.env }: BackgroundOptions,
): Promise<AsyncDisposable & { readonly url: string }> {
  const child = spawn(process.execPath, [errand, 'serve', '--json', '--vault', vault, ...args], {
    env: { ...env, HOME: home, XDG_STATE_HOME: '', XDG_CACHE_HOME: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    closed.then(() => Promise.reject(new Error('errand serve ended before it served.'))),
  ]);
  return {
    url: (JSON.parse(line) as { url: string }).url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}
