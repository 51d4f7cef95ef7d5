import {
  type Connection,
  type ConnectOptions,
  type Connector,
  type DockerConfig,
  HostError,
  type ServerConfig,
  within,
} from '@errand/host';
import { raceSignal } from '@errand/wire';
import { connectOverLines } from '../mcp/connect-over-lines.ts';
import type { McpClientContext } from '../mcp/mcp-client-context.ts';
import { abortReason } from '../mcp/to-host-error.ts';
import { defaultShutdownTimes, type ShutdownTimes } from '../node/end-process-tree.ts';
import { connectToPort } from './connect-to-port.ts';
import { findEngine, isOnThisMachine } from './engine-address.ts';
import { EngineClient } from './engine-client.ts';
import { EngineRefusal } from './engine-refusal.ts';
import { type HostIdentity, thisHost } from './host-identity.ts';
import { removeContainer } from './remove-container.ts';
import { type ServerContainer, startServerContainer } from './server-container.ts';

export interface ManagedConnectorOptions {
  readonly host: McpClientContext;
  /** Names the engine as it does for the `docker` command: DOCKER_HOST, DOCKER_CONTEXT, DOCKER_CONFIG. */
  readonly env: NodeJS.ProcessEnv;
  readonly shutdownTimes?: ShutdownTimes;
}

/** Starts a server in a container and speaks to it over its standard streams or a port. */
export class ManagedConnector implements Connector {
  readonly #options: ManagedConnectorOptions;
  /** Containers of ours that an engine which did not answer may still have. */
  readonly #leftBehind = new Set<string>();
  #identity: Promise<HostIdentity> | undefined;

  constructor(options: ManagedConnectorOptions) {
    this.#options = options;
  }

  async connect(server: ServerConfig, options: ConnectOptions): Promise<Connection> {
    const { name, transport, dockerConfig } = server;
    if (dockerConfig === undefined) throw noImage(name);
    try {
      const engine = new EngineClient(findEngine(this.#options.env));
      if (transport !== 'stdio') {
        return await this.#connectToPort(engine, server, dockerConfig, options);
      }
      const container = await this.#start(engine, server, dockerConfig, options);
      return await connectOverLines(container, server, this.#options.host, options);
    } catch (error) {
      throw ofServer(error, name, options.signal);
    }
  }

  async #connectToPort(
    engine: EngineClient,
    server: ServerConfig,
    config: DockerConfig,
    options: ConnectOptions,
  ): Promise<Connection> {
    const { name } = server;
    const transport = server.transport === 'sse' ? 'sse' : 'http';
    const { headers, network, path = transport === 'sse' ? '/sse' : '/mcp' } = config;
    const inside = firstPort(server, config);
    if (!isOnThisMachine(engine.address)) throw tooFar(name, engine.address.name);
    const container = await this.#start(engine, server, config, options);
    const port =
      network === 'host'
        ? inside.replace(/\/.*/, '')
        : await publishedPort(engine, container.id, inside).catch(() => undefined);
    if (port === undefined) {
      const reason = await within(container.ended, momentMs);
      await container.end();
      throw reason ?? notPublished(name, inside);
    }
    const url = `http://127.0.0.1:${port}${path}`;
    const endpoint = { transport, url, ...(headers && { headers }) } as const;
    return connectToPort(container, endpoint, server, this.#options.host, options);
  }

  #start(
    engine: EngineClient,
    server: ServerConfig,
    config: DockerConfig,
    options: ConnectOptions,
  ): Promise<ServerContainer> {
    const starting = this.#removeLeftBehind(engine).then(() =>
      this.#startContainer(engine, server, config, options),
    );
    return orEnd(starting, options.signal);
  }

  async #startContainer(
    engine: EngineClient,
    server: ServerConfig,
    config: DockerConfig,
    { signal, onStep }: ConnectOptions,
  ): Promise<ServerContainer> {
    const { host, env, shutdownTimes = defaultShutdownTimes } = this.#options;
    this.#identity ??= thisHost();
    return startServerContainer(engine, {
      server,
      config,
      host: await this.#identity,
      vaultFolder: host.vaultFolder,
      env,
      shutdownTimes,
      signal,
      onStep: (step) => onStep?.(step),
      onLeftBehind: (id) => this.#leftBehind.add(id),
    });
  }

  async #removeLeftBehind(engine: EngineClient): Promise<void> {
    for (const id of this.#leftBehind) {
      await removeContainer(engine, id).then(
        () => this.#leftBehind.delete(id),
        // Tried again with the next container, and by a later host.
        () => undefined,
      );
    }
  }
}

const momentMs = 1000;
const patienceMs = 5000;

/** The container that is starting; when the signal fires first it is ended, and only then this rejects. */
async function orEnd(
  starting: Promise<ServerContainer>,
  signal: AbortSignal,
): Promise<ServerContainer> {
  try {
    return await raceSignal(starting, signal);
  } catch (error) {
    // An engine that hangs must not make us hang; what it then still starts is ended when it has.
    const ended = starting.then((container) => container.end()).catch(() => undefined);
    await within(ended, patienceMs);
    throw error;
  }
}

/** With integers as keys an object has no order of its own: the lowest port is the first. */
function firstPort({ name, transport }: ServerConfig, { ports }: DockerConfig): string {
  const [port] = Object.keys(ports ?? {});
  if (port !== undefined) return port;
  throw new HostError(
    'settings_invalid',
    `Server "${name}" uses ${transport} but publishes no port. Add "ports": { "8080": 0 } to its "dockerConfig", with the port that it listens on.`,
    { server: name, path: 'dockerConfig.ports' },
  );
}

function notPublished(server: string, port: string): HostError {
  return new HostError(
    'settings_invalid',
    `Docker does not publish port ${port} of server "${server}". Remove "network" from its "dockerConfig", or name a network that has ports.`,
    { server, path: 'dockerConfig.network' },
  );
}

function noImage(server: string): HostError {
  return new HostError(
    'settings_invalid',
    `Server "${server}" has no image. Add "dockerConfig": { "image": "…", "containerName": "…" } to its entry in the settings.`,
    { server, path: 'dockerConfig.image' },
  );
}

function tooFar(server: string, engine: string): HostError {
  return new HostError(
    'docker_unavailable',
    `The Docker engine at ${engine} runs on another machine, whose published ports cannot be reached. Use the transport "stdio" for server "${server}", or an engine on this machine.`,
    { server },
  );
}

function ofServer(error: unknown, server: string, signal: AbortSignal): unknown {
  if (signal.aborted) return abortReason(signal, server);
  if (!(error instanceof HostError) || error.facts.server !== undefined) return error;
  return error.withFacts({ server }, error.cause);
}

interface InspectedPorts {
  readonly NetworkSettings: {
    readonly Ports?: Readonly<Record<string, readonly { readonly HostPort: string }[] | null>>;
  };
}

/** The port of this machine that leads to a port inside a container; none when it has ended. */
async function publishedPort(
  engine: EngineClient,
  id: string,
  inside: string,
): Promise<string | undefined> {
  try {
    const path = `/containers/${id}/json`;
    const { NetworkSettings } = await engine.ask<InspectedPorts>({ method: 'GET', path });
    const key = inside.includes('/') ? inside : `${inside}/tcp`;
    return NetworkSettings.Ports?.[key]?.[0]?.HostPort;
  } catch (error) {
    if (error instanceof EngineRefusal && error.status === 404) return undefined;
    throw error;
  }
}
