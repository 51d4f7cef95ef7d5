import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchClient } from './gateway-client.ts';
import { gatewayToken, type ServerCommand, type Target } from './gateway-target.ts';

/** A gateway that runs, and a client that is connected to it. */
export interface RunningGateway extends AsyncDisposable {
  readonly target: Target;
  readonly client: BenchClient;
  /** The file that was started, and the folder for what it keeps. */
  readonly program: string;
  readonly scratch: string;
  /** Connects one more client. */
  connect(): Promise<BenchClient>;
  /** Milliseconds from its start until it was ready. */
  readonly startMs: number;
  call(server: string, tool: string, input?: object): Promise<Record<string, unknown>>;
  /** Processor time it has used, in milliseconds. */
  cpuMs(): number;
  residentMb(): number;
  /** Descriptors that it has open, and processes that it has started. */
  held(): { readonly descriptors: number; readonly children: number };
  signal(signal: NodeJS.Signals): void;
}

const ticksPerSecond = 100;
const pageBytes = 4096;
const toolsPerServer = 4;

/** What a gateway must do before it counts as started. */
export type IsReady = (client: BenchClient, target: Target) => Promise<boolean>;

/** It lists the tools of so many servers. */
function listsToolsOf(count: number): IsReady {
  return async (client) => {
    const { result } = await client.send('tools/list', {});
    return (result as { tools: unknown[] }).tools.length >= count * toolsPerServer;
  };
}

/** One of its servers answers a call. */
export function answersFrom(server: string): IsReady {
  return async (client, target) => {
    const name = target.toolName(server, 'echo');
    const { result } = await client.send('tools/call', { name, arguments: { text: 'ready' } });
    return JSON.stringify(result ?? '').includes('ready');
  };
}

/** Starts a gateway and waits until it is ready: by default until it lists all tools. */
export async function startGateway(
  target: Target,
  servers: Readonly<Record<string, ServerCommand>>,
  isReady = listsToolsOf(Object.keys(servers).length),
  scratch = mkdtempSync(join(tmpdir(), 'errand-bench-')),
): Promise<RunningGateway> {
  const port = await freePort();
  const args = target.start(servers, port, scratch);
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: 'ignore',
    env: {
      ...process.env,
      XDG_STATE_HOME: scratch,
      XDG_CONFIG_HOME: scratch,
      ERRAND_TOKEN: gatewayToken,
    },
  });
  const client = await connected(target, port, isReady, child);
  const startMs = performance.now() - startedAt;
  return {
    target,
    client,
    program: args.find((arg) => arg.endsWith('js') && !arg.includes('errand-busy')) ?? '',
    scratch,
    connect: () => target.connect(port),
    startMs,
    call: (server, tool, input = {}) =>
      client.send('tools/call', { name: target.toolName(server, tool), arguments: input }),
    cpuMs: () => cpuMs(child.pid),
    residentMb: () => residentMb(child.pid),
    held: () => held(child.pid),
    signal: (signal) => child.kill(signal),
    [Symbol.asyncDispose]: async () => {
      client[Symbol.dispose]();
      await ended(child);
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

async function connected(
  target: Target,
  port: number,
  isReady: IsReady,
  child: ChildProcess,
): Promise<BenchClient> {
  const deadline = performance.now() + 30_000;
  let client: BenchClient | undefined;
  while (performance.now() < deadline && child.exitCode === null) {
    try {
      client ??= await target.connect(port);
      if (await isReady(client, target)) return client;
    } catch {
      // It does not listen yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  await ended(child);
  throw new Error(`${target.name} was not ready within 30 s`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await exit;
  clearTimeout(timer);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

function cpuMs(pid = 0): number {
  // After the name, which may hold anything: user and system time are the 12th and 13th fields.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/** The resident memory of a process. */
export function residentMb(pid = 0): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return (pages * pageBytes) / 1024 / 1024;
}

function held(pid = 0): { readonly descriptors: number; readonly children: number } {
  const children = globSync(`/proc/${pid}/task/*/children`).flatMap((path) =>
    readFileSync(path, 'utf8').split(' ').filter(Boolean),
  );
  return { descriptors: readdirSync(`/proc/${pid}/fd`).length, children: children.length };
}
