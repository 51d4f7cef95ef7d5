import type {
  Connector,
  Connectors,
  HostError,
  ReferenceSources,
  SecretStore,
  ServerConfig,
} from '@errand/host';
import { connectExpanded } from '@errand/host';
import type { McpClientContext } from '../mcp/mcp-client-context.ts';

export interface ConnectorPorts {
  readonly host: McpClientContext;
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
  /** The entry to start a local program by. */
  readonly resolveProgram?: (server: ServerConfig) => ServerConfig;
}

/** The connectors of a vault, one for each deployment; the adapter of one is loaded when it is first used. */
export function openConnectors(ports: ConnectorPorts): Connectors {
  const { references, tidied, mayStart, resolveProgram = unchanged } = ports;
  const local = once(() => openLocal(ports));
  const external = once(() => openExternal(ports));
  const managed = once(() => openManaged(ports));
  return {
    local: {
      async connect(server, options) {
        const adapter = await local();
        await tidied;
        const beforeStart = () => {
          const refusal = mayStart(server);
          if (refusal !== undefined) throw refusal;
        };
        const start: Connector = {
          connect: (expanded, inner) => adapter.connect(resolveProgram(expanded), inner),
        };
        // Who may have a secret is decided by the entry as it was agreed to, so it is expanded first.
        return connectExpanded(start, server, references, { ...options, beforeStart });
      },
    },
    external: {
      connect: async (server, options) =>
        connectExpanded(await external(), server, references, options),
    },
    managed: {
      connect: async (server, options) =>
        connectExpanded(await managed(), server, references, options),
    },
  };
}

async function openLocal({ host, childrenFolder, neutralFolder }: ConnectorPorts) {
  const { LocalConnector } = await import('../mcp/local-connector.ts');
  return new LocalConnector({ host, childrenFolder, neutralFolder });
}

async function openExternal({ host, references }: ConnectorPorts) {
  const [{ ExternalConnector }, { oauthAuthorizers }] = await Promise.all([
    import('../mcp/http/external-connector.ts'),
    import('../mcp/oauth/oauth-authorizer.ts'),
  ]);
  return new ExternalConnector({ host, authorizerFor: oauthAuthorizers(references.secrets) });
}

async function openManaged({ host, env }: ConnectorPorts) {
  const { ManagedConnector } = await import('../docker/managed-connector.ts');
  return new ManagedConnector({ host, env });
}

function once(open: () => Promise<Connector>): () => Promise<Connector> {
  let opening: Promise<Connector> | undefined;
  return () => (opening ??= open());
}

function unchanged(server: ServerConfig): ServerConfig {
  return server;
}
