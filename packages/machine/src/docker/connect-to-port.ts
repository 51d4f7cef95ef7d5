import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, ConnectOptions, ServerConfig } from '@errand/host';
import { HostError } from '@errand/host';
import { connectOverHttp, type HttpEndpoint } from '../mcp/http/connect-over-http.ts';
import type { McpClientContext } from '../mcp/mcp-client-context.ts';
import { abortReason } from '../mcp/to-host-error.ts';
import { ContainerConnection } from './container-connection.ts';
import type { ServerContainer } from './server-container.ts';

const firstPauseMs = 25;
const longestPauseMs = 400;

/** Speaks MCP to a container over HTTP, as soon as the server in it answers. When it fails the container is ended. */
export async function connectToPort(
  container: ServerContainer,
  endpoint: HttpEndpoint,
  server: ServerConfig,
  host: McpClientContext,
  { signal, onStep }: ConnectOptions,
): Promise<Connection> {
  onStep?.({ name: 'handshake', detail: endpoint.url });
  const gone = new AbortController();
  void container.ended.then((reason) => gone.abort(reason));
  const attempt = AbortSignal.any([signal, gone.signal]);
  try {
    // The engine opens the port at once and cuts the connection while nobody listens behind it.
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      try {
        const connection = await connectOverHttp(endpoint, server, host, { signal: attempt });
        return new ContainerConnection(connection, container);
      } catch (error) {
        if (attempt.aborted || !isNotListening(error)) throw error;
      }
      await sleep(pause, undefined, { signal: attempt });
    }
  } catch (error) {
    await container.end();
    const reason = attempt.aborted ? abortReason(attempt, server.name) : error;
    if (!(reason instanceof HostError)) throw reason;
    const { lastOutput = container.lastOutput() } = reason.facts;
    throw reason.withFacts({ lastOutput }, error);
  }
}

/** Whether the connection failed before anything was said; a server that answers, answers for good. */
function isNotListening(error: unknown): boolean {
  const cause = error instanceof HostError ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'ECONNRESET' || code === 'ECONNREFUSED';
}
