import type { Connector } from '../connection.ts';
import { HostError } from '../host-error.ts';
import type { ServerConfig } from '../settings.ts';

/** One for each way a server can be deployed; a kind that is missing cannot be started. */
export type Connectors = Readonly<Partial<Record<ServerConfig['deploymentType'], Connector>>>;

/** The connector for a server; throws when this program cannot reach servers of its kind. */
export function connectorFor(server: ServerConfig, connectors: Connectors): Connector {
  const connector = connectors[server.deploymentType];
  if (connector !== undefined) return connector;
  throw new HostError(
    'settings_invalid',
    `Server "${server.name}" is of type "${server.deploymentType}", which this program cannot reach.`,
    { server: server.name },
  );
}
