import { Readable } from 'node:stream';
import type { ConnectStep, DockerConfig, ServerConfig } from '@errand/host';
import { catchFaults, describeFault, within } from '@errand/host';
import type { LinePipe } from '../mcp/line-pipe.ts';
import type { ShutdownTimes } from '../node/end-process-tree.ts';
import { TailBuffer } from '../node/tail-buffer.ts';
import { containerExit } from './container-exit.ts';
import { containerLabels } from './container-labels.ts';
import { containerSpec } from './container-spec.ts';
import { createContainer } from './create-container.ts';
import type { EngineClient } from './engine-client.ts';
import { EngineRefusal } from './engine-refusal.ts';
import type { HostIdentity } from './host-identity.ts';
import type { RawStream } from './open-raw-stream.ts';
import { OutputSplitter } from './output-splitter.ts';
import { rejectMountsOutsideVault } from './reject-mounts-outside-vault.ts';
import { removeContainer } from './remove-container.ts';
import { startFailure } from './start-failure.ts';

interface ContainerOptions {
  readonly server: ServerConfig;
  readonly config: DockerConfig;
  readonly host: HostIdentity;
  readonly vaultFolder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly shutdownTimes: ShutdownTimes;
  readonly signal: AbortSignal;
  readonly onStep: (step: ConnectStep) => void;
  /** Receives the id of a container that could not be removed because the engine did not answer. */
  readonly onLeftBehind: (id: string) => void;
}

/** A server that runs in a container, with its standard streams. */
export interface ServerContainer extends LinePipe {
  readonly id: string;
}

const lastOutputBytes = 64 * 1024;
const lastOutputLines = 20;

/** Output still on its way when a container exits is read for this long. */
const drainMs = 250;

/** Starts the container of a managed server; when that fails nothing of it is left. */
export async function startServerContainer(
  engine: EngineClient,
  options: ContainerOptions,
): Promise<ServerContainer> {
  const { server, config, vaultFolder, onLeftBehind } = options;
  options.onStep({ name: 'start', detail: config.image });
  const labels = containerLabels(options.host, { vaultFolder, server: server.name });
  rejectMountsOutsideVault(server.name, config, vaultFolder);
  const spec = containerSpec(server, config, { vaultFolder, labels });
  let id: string | undefined;
  let stream: RawStream | undefined;
  try {
    id = await createContainer(engine, {
      ...options,
      server: server.name,
      name: config.containerName,
      spec,
    });
    // Attached before it starts, so that not a byte is missed.
    stream = await attach(engine, id, spec.OpenStdin);
    await engine.ask({ method: 'POST', path: `/containers/${id}/start` });
    return runningContainer(engine, id, stream, options);
  } catch (error) {
    const reason = await startFailure(error, server.name, engine);
    stream?.socket.destroy();
    const created = id;
    if (created !== undefined) {
      await removeContainer(engine, created).catch(() => onLeftBehind(created));
    }
    throw reason;
  }
}

async function attach(engine: EngineClient, id: string, withInput: boolean): Promise<RawStream> {
  const stream = await engine.hijack({
    method: 'POST',
    path: `/containers/${id}/attach`,
    query: { stream: '1', stdout: '1', stderr: '1', ...(withInput && { stdin: '1' }) },
  });
  // Whatever breaks the stream also ends the container or the engine, and that tells more.
  stream.socket.on('error', () => undefined);
  return stream;
}

function runningContainer(
  engine: EngineClient,
  id: string,
  stream: RawStream,
  options: ContainerOptions,
): ServerContainer {
  const { server, config, shutdownTimes, onLeftBehind } = options;
  const { socket } = stream;
  const words = new TailBuffer(lastOutputBytes);
  const isStdio = server.transport === 'stdio';
  const output = readOutput(stream, words, isStdio);
  const lastOutput = () => words.text().trimEnd().split('\n').slice(-lastOutputLines).join('\n');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));

  const ended = containerExit(engine, {
    server: server.name,
    id,
    memory: config.memory,
    closed,
    lastOutput: async () => {
      await within(closed, drainMs);
      return lastOutput();
    },
  });
  let stopping: Promise<void> | undefined;
  const end = async () => {
    socket.end();
    if (isStdio) await within(ended, shutdownTimes.afterEndOfInput);
    await stopAndRemove(engine, id, shutdownTimes).catch(() => onLeftBehind(id));
    socket.destroy();
  };
  const endOnce = () => {
    stopping ??= end();
    return stopping;
  };
  const note = (line: string) => words.push(Buffer.from(`${line}\n`));
  ended.then(endOnce).catch((error: unknown) => note(`[errand] ${describeFault(error)}`));
  return {
    id,
    input: socket,
    output,
    ended,
    lastOutput,
    note,
    end: endOnce,
  };
}

/** Standard output of a server that speaks over it; of any other it is a log like standard error. */
function readOutput({ socket, read }: RawStream, words: TailBuffer, isProtocol: boolean): Readable {
  const output = new Readable({ read: () => socket.resume() });
  let hasRoom = true;
  const errorOutput = (chunk: Buffer) => words.push(chunk);
  const splitter = new OutputSplitter({
    errorOutput,
    output: isProtocol
      ? (chunk) => {
          hasRoom = output.push(Buffer.from(chunk));
        }
      : errorOutput,
  });
  const take = catchFaults(
    (chunk: Buffer) => splitter.push(chunk),
    (error) => {
      errorOutput(Buffer.from(`[errand] ${describeFault(error)}\n`));
      socket.destroy();
    },
  );
  read((chunk) => {
    hasRoom = true;
    take(chunk);
    return hasRoom;
  });
  socket.once('close', () => output.push(null));
  return output;
}

/** TERM, then KILL; a container that is gone is fine. */
async function stopAndRemove(
  engine: EngineClient,
  id: string,
  times: ShutdownTimes,
): Promise<void> {
  const query = { t: String(Math.ceil(times.afterTerm / 1000)) };
  await engine.ask({ method: 'POST', path: `/containers/${id}/stop`, query }).catch((error) => {
    if (!(error instanceof EngineRefusal)) throw error;
  });
  await removeContainer(engine, id);
}
