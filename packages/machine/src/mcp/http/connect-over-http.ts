import type { Connection, ConnectOptions, ServerConfig } from '@errand/host';
import { HostError } from '@errand/host';
import type { Era } from '@errand/wire';
import { type Client, ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { defectError } from '../defect-error.ts';
import type { McpClientContext } from '../mcp-client-context.ts';
import { McpConnection } from '../mcp-connection.ts';
import { openClient } from '../open-client.ts';
import { sleep } from '../sleep.ts';
import { toHostError } from '../to-host-error.ts';
import { ToolHeaders } from '../tool-headers.ts';
import { AuthorizedHttpClient } from './authorized-http-client.ts';
import type { Authorizer } from './authorizer.ts';
import { HttpClient } from './http-client.ts';
import { SseTransport } from './sse-transport.ts';
import { StreamableTransport } from './streamable-transport.ts';

/** Where a server is reached over HTTP. */
export interface HttpEndpoint {
  readonly transport: 'http' | 'sse';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly authorizer?: Authorizer;
}

const farewellMs = 1000;
const checkMs = 5000;
const checkWaits = [0, 250, 1000];

/** Speaks MCP to a server over HTTP: Streamable HTTP in either era, or the older SSE. */
export async function connectOverHttp(
  endpoint: HttpEndpoint,
  server: ServerConfig,
  host: McpClientContext,
  { signal, onStep }: ConnectOptions,
): Promise<Connection> {
  const { id, name } = server;
  const line = new HttpClient(name);
  const http = new AuthorizedHttpClient({
    ...endpoint,
    server: name,
    url: new URL(endpoint.url),
    line,
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<HostError>();
  let connection: McpConnection | undefined;
  let transport: StreamableTransport | SseTransport | undefined;

  const closing = new AbortController();
  let check: Promise<void> | undefined;
  const onStreamLost = () => {
    if (endpoint.transport === 'sse') end(streamLost(name));
    if (connection === undefined || check !== undefined) return;
    check = isGone(connection, closing.signal).then((reason) => {
      check = undefined;
      if (reason !== undefined) end(reason);
    });
  };
  const onFault = (error: unknown) => {
    const reason = defectError(error, name);
    end(reason);
    const { message, advice } = reason;
    host.notifier.notify({ level: 'error', message, advice, server: name });
  };
  const handshake = (era: Era | undefined, deadline: AbortSignal): Promise<Client> => {
    transport =
      endpoint.transport === 'sse'
        ? new SseTransport(http, { onStreamLost, onFault })
        : new StreamableTransport(http, { onStreamLost, onFault });
    return openClient(transport, {
      host,
      server: name,
      era,
      signal: deadline,
      onToolsChanged: () => connection?.toolsChanged(),
      onContentChanged: (change) => connection?.content?.changed(change),
      caller: () => connection?.caller,
      onStreamLost,
    });
  };
  const open = async (deadline: AbortSignal): Promise<Client> => {
    if (endpoint.transport === 'sse') return handshake('legacy', deadline);
    const remembered = host.eras.get(id);
    const client = await handshake(server.era ?? remembered, deadline).catch((error: unknown) => {
      // The server may have learned, or forgotten, an era since.
      if (server.era !== undefined || remembered === undefined || !isAnswered(error)) throw error;
      return handshake(undefined, deadline);
    });
    host.eras.set(id, client.getProtocolEra() ?? 'legacy');
    return client;
  };

  onStep?.({ name: 'handshake', detail: http.url.origin });
  try {
    connection = new McpConnection(name, await open(signal), {
      ended,
      lastOutput: () => '',
      headers: new ToolHeaders(),
      reopen: open,
      async end() {
        closing.abort();
        if (transport instanceof StreamableTransport) {
          await transport.endSession(AbortSignal.timeout(farewellMs)).catch(() => undefined);
        }
        line.close();
      },
    });
    return connection;
  } catch (error) {
    line.close();
    throw toHostError(error, { server: name, signal });
  }
}

/** A proxy may have cut a stream; whether the server is gone is another question, asked more than once. */
async function isGone(
  connection: Connection,
  closing: AbortSignal,
): Promise<HostError | undefined> {
  let reason: HostError | undefined;
  for (const wait of checkWaits) {
    await sleep(wait, closing).catch(() => undefined);
    if (closing.aborted) return undefined;
    try {
      await connection.ping(AbortSignal.timeout(checkMs));
      return undefined;
    } catch (error) {
      reason = error as HostError;
      // A server that asks for a login is reachable.
      if (reason.code !== 'server_unavailable') return undefined;
      if (reason.facts.neverSent) return reason;
    }
  }
  return reason;
}

/** Whether a handshake failed by what the server said, not by how it was reached. */
function isAnswered(error: unknown): boolean {
  if (error instanceof ProtocolError) return true;
  if (!(error instanceof SdkError)) return false;
  return (
    error.code === SdkErrorCode.EraNegotiationFailed ||
    error.code === SdkErrorCode.ClientHttpNotImplemented
  );
}

function streamLost(server: string): HostError {
  return new HostError(
    'server_unavailable',
    `The connection to server "${server}" was cut. It is not known whether the request took effect.`,
    { server },
  );
}
