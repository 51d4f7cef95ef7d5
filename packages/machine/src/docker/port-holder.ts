import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { EngineClient } from './engine-client.ts';

/** Says who listens on a port of this machine, as far as that can be found out. */
export async function portHolder(engine: EngineClient, port: number): Promise<string | undefined> {
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
