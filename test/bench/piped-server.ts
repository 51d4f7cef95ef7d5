import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A server that runs, spoken to over its pipes without an SDK. */
export interface PipedServer extends AsyncDisposable {
  /** Milliseconds from its start to its first answer. */
  readonly startMs: number;
  /** Calls a tool; answers with how long it took and what came back. */
  call(tool: string, input: object): Promise<{ readonly ms: number; readonly answer: unknown }>;
  residentMb(): number;
}

const pageBytes = 4096;

/** Starts a server from its program and arguments and waits for its first answer. */
export async function startOnPipes(
  args: readonly string[],
  cache: string,
  env: Readonly<Record<string, string>> = {},
): Promise<PipedServer> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, XDG_CACHE_HOME: cache, ...env },
  });
  const waiting = new Map<number, (result: Record<string, unknown>) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result } = JSON.parse(line) as { id: number; result: Record<string, unknown> };
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  let last = 0;
  const send = (method: string, params: object) => {
    last += 1;
    const id = last;
    const answered = new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answered;
  };
  await send('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  });
  const startMs = performance.now() - startedAt;
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    startMs,
    async call(tool, input) {
      const calledAt = performance.now();
      const answer = await send('tools/call', { name: tool, arguments: input });
      return { ms: performance.now() - calledAt, answer: answer?.structuredContent ?? answer };
    },
    residentMb() {
      const pages = Number(readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ')[1]);
      return (pages * pageBytes) / 1024 / 1024;
    },
    [Symbol.asyncDispose]: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await exit;
  clearTimeout(timer);
}
