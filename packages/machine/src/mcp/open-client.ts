import type { ContentChange } from '@errand/host';
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

interface OpenClientOptions extends ServerRequestContext {
  /** The protocol era to use; without it the newer one is tried first. */
  readonly era: Era | undefined;
  readonly signal: AbortSignal;
  readonly onToolsChanged: () => void;
  readonly onContentChanged: (change: ContentChange) => void;
  /** Called when the subscription to changes breaks. */
  readonly onStreamLost?: () => void;
}

/** Performs the handshake over a transport, and closes the transport when it fails. */
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
  const { onContentChanged } = options;
  client.setNotificationHandler('notifications/resources/list_changed', () =>
    onContentChanged({ kind: 'resources' }),
  );
  client.setNotificationHandler('notifications/prompts/list_changed', () =>
    onContentChanged({ kind: 'prompts' }),
  );
  client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
    onContentChanged({ kind: 'resource', uri: params.uri }),
  );
  // Some steps of the handshake take no signal, but all of them end when the transport closes.
  using _listening = onAbort(signal, () => void transport.close());
  try {
    signal.throwIfAborted();
    await client.connect(transport, { signal, timeout: maxTimerMs });
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
  subscribeToChanges(client, options);
  return client;
}

function negotiation(era: Era | undefined): VersionNegotiationOptions {
  if (era === 'legacy') return { mode: 'legacy' };
  return { mode: era === 'modern' ? { pin: '2026-07-28' } : 'auto' };
}

type ChangeListener = Pick<
  OpenClientOptions,
  'onToolsChanged' | 'onContentChanged' | 'onStreamLost'
>;

/** Subscribes to changes of the server's lists, which the newer era requires, and renews the subscription when it ends. */
function subscribeToChanges(client: Client, listener: ChangeListener): void {
  if (client.getProtocolEra() !== 'modern') return;
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  const filter = {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(resources?.listChanged && { resourcesListChanged: true }),
    ...(prompts?.listChanged && { promptsListChanged: true }),
  };
  if (Object.keys(filter).length === 0) return;
  const closed = new AbortController();
  client.onclose = () => closed.abort();
  void listenUntilClosed(client, filter, listener, closed.signal);
}

async function listenUntilClosed(
  client: Client,
  filter: Parameters<Client['listen']>[0],
  listener: ChangeListener,
  closed: AbortSignal,
): Promise<void> {
  let wait: number | undefined;
  while (!closed.aborted) {
    const started = performance.now();
    try {
      const subscription = await client.listen(filter, { timeout: maxTimerMs });
      // Changes between two subscriptions are not announced again.
      if (wait !== undefined) {
        if (filter.toolsListChanged) listener.onToolsChanged();
        if (filter.resourcesListChanged) listener.onContentChanged({ kind: 'resources' });
        if (filter.promptsListChanged) listener.onContentChanged({ kind: 'prompts' });
      }
      if ((await subscription.closed) === 'local') return;
    } catch (error) {
      // The server declares the capability but refuses the subscription.
      if (error instanceof ProtocolError) return;
    }
    if (closed.aborted) return;
    listener.onStreamLost?.();
    const livedMs = performance.now() - started;
    wait = nextStreamWait(wait, { livedMs, messages: 0 }, notificationStream);
    await sleep(wait, closed).catch(() => undefined);
  }
}
