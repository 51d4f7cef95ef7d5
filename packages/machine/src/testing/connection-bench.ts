import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection, ConnectOptions, Notice, ServerConfig } from '@errand/host';
import {
  ExternalConnector,
  type ExternalConnectorOptions,
} from '../mcp/http/external-connector.ts';
import { LocalConnector } from '../mcp/local-connector.ts';
import type { McpClientContext } from '../mcp/mcp-client-context.ts';
import type { ShutdownTimes } from '../node/end-process-tree.ts';
import { scriptedServerConfig } from './scripted-server-config.ts';
import type { ServerScript } from './server-script.ts';

/** What a test of connections needs, in a folder of its own. Disposing ends all it connected to. */
export class ConnectionBench implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'errand-'));
  readonly notices: Notice[] = [];
  readonly host: McpClientContext;
  readonly childrenFolder = join(this.folder, 'children');
  readonly neutralFolder = join(this.folder, 'empty');
  /** Where servers made with `local` write down what happens to them. */
  readonly journal = join(this.folder, 'journal.jsonl');
  readonly #connections: Connection[] = [];

  constructor(host: Partial<McpClientContext> = {}) {
    writeFileSync(this.journal, '');
    this.host = {
      name: 'errand-test',
      version: '1.0.0',
      vaultFolder: this.folder,
      eras: new Map(),
      notifier: { notify: (notice) => void this.notices.push(notice) },
      ...host,
    };
  }

  /** Starts a scriptable server as a local program. */
  local(
    script: ServerScript = {},
    entry: Partial<ServerConfig> = {},
    options: Partial<ConnectOptions> = {},
  ): Promise<Connection> {
    const server = scriptedServerConfig({ journal: this.journal, ...script }, entry);
    return this.start(server, options);
  }

  /** Starts any local program. */
  async start(
    server: ServerConfig,
    options: Partial<ConnectOptions> = {},
    shutdownTimes: ShutdownTimes = { afterEndOfInput: 200, afterTerm: 200 },
  ): Promise<Connection> {
    const { host, childrenFolder, neutralFolder } = this;
    const connector = new LocalConnector({ host, childrenFolder, neutralFolder, shutdownTimes });
    return this.#keep(await connector.connect(server, { signal: soon(), ...options }));
  }

  /** Connects to a server by its address. */
  async external(
    url: string,
    entry: Partial<ServerConfig> = {},
    options: Partial<ExternalConnectorOptions> = {},
  ): Promise<Connection> {
    const server: ServerConfig = {
      ...scriptedServerConfig(),
      id: randomUUID(),
      deploymentType: 'external',
      transport: 'http',
      httpConfig: { url },
      sseConfig: { url },
      ...entry,
    };
    const connector = new ExternalConnector({ host: this.host, ...options });
    return this.#keep(await connector.connect(server, { signal: soon() }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection[Symbol.asyncDispose]()));
    rmSync(this.folder, { recursive: true, force: true });
  }

  #keep(connection: Connection): Connection {
    this.#connections.push(connection);
    return connection;
  }
}

/** A deadline that only a hang reaches. */
export function soon(): AbortSignal {
  return AbortSignal.timeout(15_000);
}

/** Calls a tool and gives back the text of its answer. */
export async function callText(
  connection: Connection,
  tool: string,
  input: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { content } = await connection.callTool({ tool, arguments: input }, { signal: soon() });
  return content.map((part) => String(part.text ?? '')).join('\n');
}
