import { type SpawnOptions, spawn } from 'node:child_process';

interface RunOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'stdio'> {
  /** Asks the program to end, and kills it when it has not after 20 s; the promise waits until it has. */
  readonly signal?: AbortSignal;
  /** Ends what the program has started and left behind, once it has ended. */
  readonly endsGroup?: boolean;
}

/** Runs a program to its end, with its output shown; resolves with its exit code. */
export function runProgram(
  program: string,
  args: readonly string[],
  { signal, endsGroup = false, ...options }: RunOptions = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', detached: endsGroup, ...options });
    const stop = () => {
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), 20_000).unref();
    };
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    child.once('error', reject);
    child.once('close', (code) => {
      signal?.removeEventListener('abort', stop);
      if (endsGroup) endGroup(child.pid);
      resolve(code ?? 1);
    });
  });
}

function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nothing is left of it.
  }
}

/** Runs a program quietly; resolves with what it printed and rejects with what it complained about. */
export function readProgram(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let complaint = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      complaint += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ${args.join(' ')}: ${complaint.trim() || `exit ${code}`}`));
    });
  });
}
