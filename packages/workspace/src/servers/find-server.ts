import { brokenServersOf, type Host, HostError, type ServerConfig } from '@errand/host';

/** The server that a person named; throws `server_unknown`, which lists the servers there are, or why its entry cannot be read. */
export function findServer({ servers }: Pick<Host, 'servers'>, name: string): ServerConfig {
  const found = servers.find(name);
  if (found !== undefined) return found;
  const broken = brokenServersOf(servers.settings).find(
    (each) => each.name.toLowerCase() === name.toLowerCase(),
  );
  if (broken !== undefined) {
    throw new HostError('settings_invalid', broken.message, { server: broken.name });
  }
  const known = servers.list().map((server) => server.name);
  const others =
    known.length === 0 ? 'This vault has no servers.' : `There are: ${known.join(', ')}.`;
  const advice = [{ kind: 'add-server' }] as const;
  const message = `There is no server "${name}". ${others}`;
  throw new HostError('server_unknown', message, { server: name }, { advice });
}

/** The server with an id, for what must not follow a name to another server. */
export function findServerById({ servers }: Pick<Host, 'servers'>, id: string): ServerConfig {
  const found = servers.list().find((server) => server.id === id);
  if (found !== undefined) return found;
  throw new HostError('server_unknown', 'This server is no longer registered.', { server: id });
}
