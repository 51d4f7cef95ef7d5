import { type Era, onAbort } from '@errand/wire';
import {
  Client,
  ProtocolError,
  type Transport,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import { answerServer, capabilitiesOf, type ServerRequestContext } from './answer-server.ts';
import { nextStreamWait, notificationStream } from './http/stream-backoff.ts';
import { maxTimerMs, sleep } from './sleep.ts';

export interface OpenClientOptions extends ServerRequestContext {
  /** The era to speak; without it the newer is tried and the older is fallen back on. */
  readonly era: Era | undefined;
  readonly signal: AbortSignal;
  readonly onToolsChanged: () => void;
  /** Told when the stream on which changes are announced breaks. */
  readonly onStreamLost?: () => void;
}

/** Does the handshake over a transport. When it fails the transport is closed. */
export async function openClient(
  transport: Transport,
  options: OpenClientOptions,
): Promise<Client> {
  const { host, signal } = options;
  const client = new Client(
    { name: host.name, version: host.version },
    {
      capabilities: capabilitiesOf(host),
      versionNegotiation: negotiation(options.era),
      // Results are checked by those who use them. Here a stranger's schema would be compiled.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({
          valid: true,
          data: data as never,
          errorMessage: undefined,
        }),
      },
    },
  );
  answerServer(client, options);
  client.setNotificationHandler('notifications/tools/list_changed', options.onToolsChanged);
  // Some steps of the handshake know no signal, but all of them end with the transport.
  using _listening = onAbort(signal, () => void transport.close());
  try {
    signal.throwIfAborted();
    await client.connect(transport, { signal, timeout: maxTimerMs });
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
  subscribeToToolChanges(client, options);
  return client;
}

function negotiation(era: Era | undefined): VersionNegotiationOptions {
  if (era === 'legacy') return { mode: 'legacy' };
  return { mode: era === 'modern' ? { pin: '2026-07-28' } : 'auto' };
}

interface ChangeListener {
  readonly onToolsChanged: () => void;
  readonly onStreamLost?: () => void;
}

/** In the newer era changes are told only to those who listen, and a stream that ends must be asked for again. */
function subscribeToToolChanges(client: Client, listener: ChangeListener): void {
  if (client.getProtocolEra() !== 'modern') return;
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return;
  const closed = new AbortController();
  client.onclose = () => closed.abort();
  void listenUntilClosed(client, listener, closed.signal);
}

async function listenUntilClosed(
  client: Client,
  listener: ChangeListener,
  closed: AbortSignal,
): Promise<void> {
  let wait: number | undefined;
  while (!closed.aborted) {
    const started = performance.now();
    try {
      const subscription = await client.listen({ toolsListChanged: true }, { timeout: maxTimerMs });
      // What changed while nobody listened is not told again.
      if (wait !== undefined) listener.onToolsChanged();
      if ((await subscription.closed) === 'local') return;
    } catch (error) {
      // It announces changes, but not to those who ask.
      if (error instanceof ProtocolError) return;
    }
    if (closed.aborted) return;
    listener.onStreamLost?.();
    const livedMs = performance.now() - started;
    wait = nextStreamWait(wait, { livedMs, messages: 0 }, notificationStream);
    await sleep(wait, closed).catch(() => undefined);
  }
}
