import { clearInterval, setInterval } from 'node:timers';
import type { Connection, ConnectOptions, ServerConfig } from '@errand/host';
import { type HostError, within } from '@errand/host';
import type { Era } from '@errand/wire';
import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { LinePipe } from './line-pipe.ts';
import { LineTransport } from './line-transport.ts';
import type { McpClientContext } from './mcp-client-context.ts';
import { McpConnection } from './mcp-connection.ts';
import { openClient } from './open-client.ts';
import { reasonOfRefusal } from './refusal.ts';
import { toHostError } from './to-host-error.ts';

/** Speaks MCP to a server over its standard streams. When it fails the server has been ended. */
export async function connectOverLines(
  streams: LinePipe,
  server: ServerConfig,
  host: McpClientContext,
  { signal, onStep }: ConnectOptions,
): Promise<Connection> {
  const { id, name } = server;
  const { pipe, fail } = failable(streams);
  let connection: McpConnection | undefined;
  let hasComplained = false;
  const onGarbage = (line: string) => {
    pipe.note(`[standard output] ${line}`);
    if (hasComplained) return;
    hasComplained = true;
    host.notifier.notify({
      level: 'warning',
      message: `Server "${name}" prints text that is not MCP to standard output: ${JSON.stringify(line.slice(0, 200))}. It should write its log to standard error.`,
      server: name,
    });
  };
  let hasFailed = false;
  const onFault = (reason: HostError) => {
    if (hasFailed) return;
    hasFailed = true;
    fail(reason);
    const { message, advice } = reason;
    host.notifier.notify({ level: 'error', message, advice, server: name });
  };
  let transport: LineTransport | undefined;
  const handshake = (era: Era) => {
    transport = new LineTransport(pipe, name, { onGarbage, onFault });
    return openClient(transport, {
      host,
      server: name,
      era,
      signal,
      onToolsChanged: () => connection?.toolsChanged(),
      onContentChanged: (change) => connection?.content?.changed(change),
      caller: () => connection?.caller,
    });
  };
  onStep?.({ name: 'handshake' });
  using _progress = followOutput(pipe, (detail) => onStep?.({ name: 'handshake', detail }));
  try {
    // The older era first: some servers end when the newer one's first question reaches them.
    const era = server.era ?? host.eras.get(id) ?? 'legacy';
    const client = await handshake(era).catch((error: unknown) => {
      if (server.era !== undefined || era !== 'legacy' || !isRefusedByServer(error)) throw error;
      return handshake('modern').catch((later: unknown) => {
        // It speaks the older era only, and why it refused there is what counts.
        throw isOfOtherEra(later) ? error : later;
      });
    });
    host.eras.set(id, client.getProtocolEra() ?? era);
    connection = new McpConnection(name, client, pipe, transport?.calls);
    return connection;
  } catch (error) {
    // Forget the remembered era: the next attempt begins with the older one again.
    host.eras.set(id, 'legacy');
    const reason = await whyItFailed(error, pipe, name, signal);
    await pipe.end();
    throw reason;
  }
}

/** Tells what a server that takes its time writes meanwhile, such as what it downloads. */
function followOutput(pipe: LinePipe, tell: (line: string) => void): Disposable {
  let last = '';
  const timer = setInterval(() => {
    const line = pipe.lastOutput().trimEnd().split('\n').at(-1)?.slice(0, 200) ?? '';
    if (line === last) return;
    last = line;
    tell(line);
  }, 500);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** The streams of a server whose connection can also be ended by us, with a reason. */
function failable(streams: LinePipe): {
  readonly pipe: LinePipe;
  readonly fail: (reason: HostError) => void;
} {
  const { promise: failed, resolve } = Promise.withResolvers<HostError>();
  const ended = Promise.race([failed, streams.ended]);
  failed.then(() => streams.end()).catch(() => undefined);
  return { pipe: { ...streams, ended }, fail: resolve };
}

function isRefusedByServer(error: unknown): boolean {
  return error instanceof ProtocolError && reasonOfRefusal(error) === undefined;
}

function isOfOtherEra(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
}

/** A server that ended tells more by its exit than by the connection that broke with it. */
async function whyItFailed(error: unknown, pipe: LinePipe, server: string, signal: AbortSignal) {
  const failure = (await within(pipe.ended, 0)) ?? toHostError(error, { server, signal });
  return failure.withFacts({ lastOutput: pipe.lastOutput() }, error);
}
