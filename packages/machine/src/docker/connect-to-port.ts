import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallOptions,
  type Connection,
  type ConnectOptions,
  catchFaults,
  HostError,
  type RawToolResult,
  type ServerConfig,
  type ServerContent,
  type ServerIdentity,
  type ToolCall,
  type ToolDescription,
  within,
} from '@errand/host';
import { connectOverHttp, type HttpEndpoint } from '../mcp/http/connect-over-http.ts';
import type { McpClientContext } from '../mcp/mcp-client-context.ts';
import { abortReason } from '../mcp/to-host-error.ts';
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

const momentMs = 1000;

/** A connection over HTTP to a server in our container; both end together. */
class ContainerConnection implements Connection {
  readonly lost: Promise<HostError>;
  readonly #connection: Connection;
  readonly #container: ServerContainer;
  #isDisposed = false;

  constructor(connection: Connection, container: ServerContainer) {
    this.#connection = connection;
    this.#container = container;
    this.lost = new Promise((resolve) => {
      const end = async (reason: HostError) => {
        if (this.#isDisposed) return;
        resolve(reason);
        await connection[Symbol.asyncDispose]();
      };
      // However closing ended, there is nothing left behind the connection.
      void container.ended.then(catchFaults(end, () => undefined));
      void connection.lost.then(async (reason) => resolve(await this.#explain(reason)));
    });
  }

  get server(): ServerIdentity {
    return this.#connection.server;
  }

  listTools(signal: AbortSignal): Promise<readonly ToolDescription[]> {
    return this.#explained(this.#connection.listTools(signal));
  }

  callTool(call: ToolCall, options: CallOptions): Promise<RawToolResult> {
    return this.#explained(this.#connection.callTool(call, options));
  }

  ping(signal: AbortSignal): Promise<void> {
    return this.#explained(this.#connection.ping(signal));
  }

  onToolsChanged(listener: () => void): void {
    this.#connection.onToolsChanged(listener);
  }

  lastOutput(): string {
    return this.#container.lastOutput();
  }

  get content(): ServerContent | undefined {
    return this.#connection.content;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await this.#connection[Symbol.asyncDispose]();
    await this.#container.end();
  }

  #explained<Answer>(request: Promise<Answer>): Promise<Answer> {
    return request.catch(async (error: unknown) => {
      throw error instanceof HostError ? await this.#explain(error) : error;
    });
  }

  /** A connection breaks shortly before the container's exit is known, and the exit explains more. */
  async #explain(error: HostError): Promise<HostError> {
    if (error.code !== 'server_unavailable') return error;
    const reason = await within(this.#container.ended, momentMs);
    if (reason === undefined) return error;
    // Whether the request was sent, and for which tool, only the connection knows.
    return reason.withFacts(error.facts, error);
  }
}
