import { HostError } from '@errand/host';
import { serverEnded } from '../mcp/server-ended.ts';
import type { EngineClient } from './engine-client.ts';
import { noProgram } from './start-failure.ts';

interface ExitFacts {
  readonly server: string;
  readonly id: string;
  readonly memory: string | undefined;
  /** Resolves when the stream of its output has ended, which is mostly because it has. */
  readonly closed: Promise<void>;
  /** What it wrote last, when all of it has been read. */
  readonly lastOutput: () => Promise<string>;
}

interface ContainerState {
  readonly Running: boolean;
  readonly ExitCode: number;
  readonly OOMKilled?: boolean;
}

/** Waits until a started container ends; resolves with why that is a failure. */
export async function containerExit(engine: EngineClient, facts: ExitFacts): Promise<HostError> {
  const { id, server } = facts;
  const path = `/containers/${id}`;
  const readState = async () => {
    const inspected = { method: 'GET', path: `${path}/json` } as const;
    return (await engine.ask<{ State: ContainerState }>(inspected)).State;
  };
  try {
    const ended = engine.ask({ method: 'POST', path: `${path}/wait` });
    // Podman looks only now and then whether it is over.
    const seenExit = facts.closed.then(async () => (await readState()).Running && ended);
    await Promise.race([ended, seenExit]);
    return hasExited(facts, await readState(), await facts.lastOutput());
  } catch (error) {
    if (error instanceof HostError) return engineLost(server, engine, error);
    return new HostError(
      'container_exited',
      `The container of server "${server}" was removed. Errand starts a new one.`,
      { server, lastOutput: await facts.lastOutput() },
      { cause: error },
    );
  }
}

function hasExited(
  { server, memory }: ExitFacts,
  { ExitCode: exitCode, OOMKilled: isOutOfMemory }: ContainerState,
  lastOutput: string,
): HostError {
  // Said by the small init that the engine puts in front of the program.
  const [, program] = /exec (\S+) failed: No such file/.exec(lastOutput) ?? [];
  if (exitCode === 127 && program !== undefined) return noProgram(server, program);
  if (!isOutOfMemory) return serverEnded('container_exited', { server, exitCode, lastOutput });
  const limit = memory === undefined ? '' : ` (its limit is ${memory})`;
  return new HostError(
    'container_exited',
    `The container of server "${server}" ran out of memory${limit} and was ended. Raise "memory" in its settings.`,
    { server, exitCode, lastOutput },
  );
}

function engineLost(server: string, engine: EngineClient, cause: HostError): HostError {
  return new HostError(
    'docker_unavailable',
    `The Docker engine at ${engine.address.name} stopped or was restarted, and server "${server}" with it. If it does not come back, start it (Docker Desktop, or: sudo systemctl start docker).`,
    { server },
    { cause },
  );
}
