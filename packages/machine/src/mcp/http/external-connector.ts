import type { Connection, ConnectOptions, Connector, ServerConfig } from '@errand/host';
import { HostError } from '@errand/host';
import type { McpClientContext } from '../mcp-client-context.ts';
import type { Authorizer } from './authorizer.ts';
import { connectOverHttp } from './connect-over-http.ts';

export interface ExternalConnectorOptions {
  readonly host: McpClientContext;
  /** Gives the requests to a server their tokens; without it only configured headers are sent. */
  readonly authorizerFor?: (server: ServerConfig) => Authorizer;
}

/** Reaches a server that somebody else runs. */
export class ExternalConnector implements Connector {
  readonly #options: ExternalConnectorOptions;

  constructor(options: ExternalConnectorOptions) {
    this.#options = options;
  }

  async connect(server: ServerConfig, options: ConnectOptions): Promise<Connection> {
    const { host, authorizerFor } = this.#options;
    const transport = server.transport === 'sse' ? 'sse' : 'http';
    const config = transport === 'sse' ? server.sseConfig : server.httpConfig;
    if (config === undefined || !/^https?:/.test(config.url) || !URL.canParse(config.url)) {
      throw noUrl(server.name, transport);
    }
    // Who configured a token does not want to log in.
    const hasToken = Object.keys(config.headers ?? {}).some((name) =>
      /^authorization$/i.test(name),
    );
    const authorizer = hasToken ? undefined : authorizerFor?.(server);
    return connectOverHttp(
      { ...config, transport, ...(authorizer && { authorizer }) },
      server,
      host,
      options,
    );
  }
}

function noUrl(server: string, transport: 'http' | 'sse'): HostError {
  return new HostError(
    'settings_invalid',
    `Server "${server}" has no address. Write it as "${transport}Config": { "url": "https://…" } in its entry in the settings.`,
    { server, path: `${transport}Config.url` },
  );
}
