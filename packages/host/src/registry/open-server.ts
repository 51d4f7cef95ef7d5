import { onAbort } from '@errand/wire';
import type { Clock } from '../clock.ts';
import type { Connection, Connector, ConnectStep, ToolDescription } from '../connection.ts';
import { HostError } from '../host-error.ts';
import type { ServerConfig } from '../settings.ts';
import type { RetryPlan } from './lifecycle-state.ts';
import type { StartGate } from './start-gate.ts';

/** A connection that counts as connected: its handshake is done and its tools are listed. */
export interface OpenServer {
  readonly connection: Connection;
  readonly tools: readonly ToolDescription[];
}

interface OpenOptions {
  readonly connector: Connector;
  readonly clock: Clock;
  readonly plan: RetryPlan;
  readonly signal: AbortSignal;
  readonly gate?: StartGate;
  readonly onStep?: (step: ConnectStep) => void;
}

/** Connects to a server and reads its tools, within its own deadline. Rejects with a `HostError`. */
export async function openServer(server: ServerConfig, options: OpenOptions): Promise<OpenServer> {
  const { connector, signal, gate } = options;
  const leave = server.deploymentType === 'external' ? undefined : await gate?.enter(signal);
  using deadline = startDeadline(server, options);
  let connection: Connection | undefined;
  try {
    connection = await connector.connect(server, {
      signal: deadline.signal,
      onStep: (step) => {
        deadline.onStep(step);
        options.onStep?.(step);
      },
    });
    options.onStep?.({ name: 'tools' });
    const tools = await connection.listTools(deadline.signal);
    return { connection, tools };
  } catch (error) {
    const lastOutput = connection?.lastOutput();
    await connection?.[Symbol.asyncDispose]();
    const { signal: ended } = deadline;
    throw asConnectError(ended.aborted ? ended.reason : error, server, lastOutput);
  } finally {
    leave?.();
  }
}

interface StartDeadline extends Disposable {
  readonly signal: AbortSignal;
  onStep(step: ConnectStep): void;
}

function startDeadline(server: ServerConfig, { clock, plan, signal }: OpenOptions): StartDeadline {
  const allowed = allowedTime(server, plan);
  const controller = new AbortController();
  const listening = onAbort(signal, (reason) => controller.abort(reason));
  const arm = () => clock.after(allowed, () => controller.abort(tooSlow(server, allowed)));
  let timer = arm();
  let isPulling = false;
  return {
    signal: controller.signal,
    onStep: ({ name }) => {
      // Fetching an image takes as long as it takes; the deadline is for starting.
      if (name === 'pull') timer[Symbol.dispose]();
      else if (isPulling) timer = arm();
      isPulling = name === 'pull';
    },
    [Symbol.dispose]: () => {
      timer[Symbol.dispose]();
      listening[Symbol.dispose]();
    },
  };
}

function allowedTime(server: ServerConfig, plan: RetryPlan): number {
  const { startTimeout, deploymentType, localConfig } = server;
  if (startTimeout !== undefined) return startTimeout;
  if (deploymentType === 'managed') return plan.containerConnectDeadline;
  const mayFetch = localConfig !== undefined && isPackageRunner(localConfig.command);
  return mayFetch ? plan.fetchingConnectDeadline : plan.connectDeadline;
}

function tooSlow(server: ServerConfig, allowed: number): HostError {
  return new HostError(
    'server_unavailable',
    `Server "${server.name}" did not finish starting within ${allowed / 1000} s.`,
    { server: server.name },
    {
      advice: [
        { kind: 'raise-start-timeout', server: server.name },
        { kind: 'test-server', server: server.name },
      ],
    },
  );
}

/** The failure as the host reports it, whatever a connector threw. */
export function asConnectError(error: unknown, server: ServerConfig, lastOutput = ''): HostError {
  const words = lastOutput === '' ? {} : { lastOutput };
  if (error instanceof HostError) {
    if (lastOutput === '' || error.facts.lastOutput !== undefined) return error;
    return error.withFacts(words);
  }
  const message = error instanceof Error ? error.message : String(error);
  return new HostError(
    'server_unavailable',
    `Server "${server.name}" could not be reached: ${message}`,
    { server: server.name, ...words },
    { cause: error },
  );
}

/** Whether a command downloads, when it must, the program it then starts. */
function isPackageRunner(command: string): boolean {
  const name = command.split(/[\\/]/).at(-1) ?? command;
  return runners.has(name.toLowerCase().replace(/\.(cmd|exe|bat|ps1)$/, ''));
}

const runners = new Set([
  ...['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'bun', 'bunx', 'deno'],
  ...['uv', 'uvx', 'pipx', 'docker', 'podman', 'nix', 'go', 'cargo', 'dnx'],
]);
