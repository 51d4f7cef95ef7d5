import type {
  Connector,
  Connectors,
  HostError,
  ReferenceSources,
  SecretStore,
  ServerConfig,
} from '@errand/host';
import { createExpandingConnector } from '@errand/host';
import { ManagedConnector } from '../docker/managed-connector.ts';
import type { HostSide } from '../mcp/host-side.ts';
import { ExternalConnector } from '../mcp/http/external-connector.ts';
import { LocalConnector } from '../mcp/local-connector.ts';
import { oauthAuthorizers } from '../mcp/oauth/oauth-authorizer.ts';

export interface ConnectorPorts {
  readonly host: HostSide;
  readonly env: NodeJS.ProcessEnv;
  /** The folder, outside the vault, where running children are written down. */
  readonly childrenFolder: string;
  /** The folder, outside the vault, that servers run in whose entry names none. */
  readonly neutralFolder: string;
  /** Why a server must not be started, with what it runs looked at again. */
  readonly mayStart: (server: ServerConfig) => HostError | undefined;
  /** What a program is only started after. */
  readonly tidied: Promise<unknown>;
  readonly references: ReferenceSources & { readonly secrets: SecretStore };
  /** Changes how local programs are started. */
  readonly aroundLocal?: (connector: Connector) => Connector;
}

/** The ways to reach a server, one for each deployment. */
export function openConnectors(ports: ConnectorPorts): Required<Connectors> {
  const { host, env, childrenFolder, neutralFolder, tidied, references, aroundLocal } = ports;
  const expanding = (connector: Connector) => createExpandingConnector(connector, references);
  const local = new LocalConnector({ host, childrenFolder, neutralFolder });
  // Outermost: who may have a secret is decided by the entry as it was agreed to.
  const started = expanding(aroundLocal?.(local) ?? local);
  return {
    local: {
      async connect(server, options) {
        await tidied;
        const beforeStart = () => {
          const refusal = ports.mayStart(server);
          if (refusal !== undefined) throw refusal;
        };
        return started.connect(server, { ...options, beforeStart });
      },
    },
    external: expanding(
      new ExternalConnector({ host, authorizerFor: oauthAuthorizers(references.secrets) }),
    ),
    managed: expanding(new ManagedConnector({ host, env })),
  };
}
