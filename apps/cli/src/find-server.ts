import { type Host, HostError, type ServerConfig } from '@errand/host';

/** The server that a person named on the command line. */
export function findServer({ servers }: Host, name: string): ServerConfig {
  const found = servers.find(name);
  if (found !== undefined) return found;
  const known = servers.list().map((server) => server.name);
  const others = known.length === 0 ? 'None is registered yet.' : `There are: ${known.join(', ')}.`;
  throw new HostError(
    'server_unknown',
    `There is no server "${name}". ${others} Add one with: errand servers add`,
    { server: name },
  );
}
