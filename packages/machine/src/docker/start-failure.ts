import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { fixedError, HostError } from '@errand/host';
import type { EngineClient } from './engine-client.ts';
import { EngineRefusal } from './engine-refusal.ts';

/** What the engine's refusal to create or start a container means to the person who configured it. */
export async function startFailure(
  error: unknown,
  server: string,
  engine: EngineClient,
): Promise<unknown> {
  if (!(error instanceof EngineRefusal)) return error;
  const { message } = error;
  const port = takenPort(message);
  if (port !== undefined) {
    return portInUse(server, port, await portHolder(engine, port));
  }
  const [, program] = /exec: "?([^":]+)"?: .*(?:not found|no such file)/.exec(message) ?? [];
  if (program !== undefined) return noProgram(server, program, error);
  const [, source] = /(?:bind source path does not exist:|statfs) (\/[^:]+)/.exec(message) ?? [];
  if (source !== undefined) return noSource(server, source, error);
  return new HostError(
    'server_unavailable',
    `Docker could not start server "${server}": ${message}. Correct its "dockerConfig" in the settings.`,
    { server, neverSent: true },
    { cause: error },
  );
}

/** `…127.0.0.1:8080: bind: address already in use`, or `…127.0.0.1:8080 failed: port is already allocated`. */
function takenPort(message: string): number | undefined {
  const [, port] = /:(\d+)\D*already (?:allocated|in use)/.exec(message) ?? [];
  return port === undefined ? undefined : Number(port);
}

function portInUse(server: string, port: number, holder: string | undefined): HostError {
  const by = holder === undefined ? '' : `It is used by ${holder}. `;
  const detail = `${by}Stop that, or change "ports" of server "${server}" in the settings; 0 lets Docker choose one.`;
  return fixedError('port_in_use', {
    server,
    port,
    detail,
    path: 'dockerConfig.ports',
    neverSent: true,
  });
}

/** A container whose program does not exist: some engines refuse to start it, in others it ends at once. */
export function noProgram(server: string, program: string, cause?: Error): HostError {
  return new HostError(
    'container_exited',
    `Server "${server}" cannot start: its image has no program "${program}". Correct "command" or "image" in its settings.`,
    { server, path: 'dockerConfig.command', exitCode: 127, neverSent: true },
    { cause },
  );
}

function noSource(server: string, source: string, cause: Error): HostError {
  return new HostError(
    'settings_invalid',
    `Server "${server}" cannot start: there is no folder ${source} to mount. Make it, or correct "mounts" in its settings.`,
    { server, path: 'dockerConfig.mounts', neverSent: true },
    { cause },
  );
}

/** Says who listens on a port of this machine, as far as that can be found out. */
async function portHolder(engine: EngineClient, port: number): Promise<string | undefined> {
  const container = await publishingContainer(engine, port).catch(() => undefined);
  return container ?? listeningProcess(port);
}

async function publishingContainer(
  engine: EngineClient,
  port: number,
): Promise<string | undefined> {
  const [container] = await engine.ask<{ Names: string[] }[]>({
    method: 'GET',
    path: '/containers/json',
    query: { filters: JSON.stringify({ publish: [String(port)] }) },
  });
  const name = container?.Names[0]?.replace(/^\//, '');
  return name === undefined ? undefined : `the container ${name}`;
}

/** Linux only; of other people's processes one sees nothing. */
function listeningProcess(port: number): string | undefined {
  const sockets = listeningSockets(port).map((inode) => `socket:[${inode}]`);
  if (sockets.length === 0) return undefined;
  for (const pid of list('/proc').filter((name) => /^\d+$/.test(name))) {
    const files = list(`/proc/${pid}/fd`);
    if (files.some((file) => sockets.includes(readLink(`/proc/${pid}/fd/${file}`)))) {
      return `${read(`/proc/${pid}/comm`).trim()} (process ${pid})`;
    }
  }
  return undefined;
}

const listening = '0A';

/** The inodes of the sockets that listen on a port, from lines `sl local remote state … inode`. */
function listeningSockets(port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) =>
    read(path)
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => local?.endsWith(suffix) && state === listening)
      .map((fields) => fields[9] ?? ''),
  );
}

function list(folder: string): string[] {
  return orElse(() => readdirSync(folder), []);
}

function read(path: string): string {
  return orElse(() => readFileSync(path, 'utf8'), '');
}

function readLink(path: string): string {
  return orElse(() => readlinkSync(path), '');
}

/** Processes end while one looks at them, and some may not be looked at. */
function orElse<Value>(look: () => Value, otherwise: Value): Value {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
