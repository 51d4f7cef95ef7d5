import { type Host, HostError, type ServerConfig } from '@errand/host';

/** The server with an id; its name does not do, because names change hands. */
export function findServer({ servers }: Pick<Host, 'servers'>, id: string): ServerConfig {
  const found = servers.list().find((server) => server.id === id);
  if (found !== undefined) return found;
  throw new HostError('server_unknown', 'This server is no longer registered.', { server: id });
}
