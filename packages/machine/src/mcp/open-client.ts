import { type Era, onAbort } from '@errand/wire';
import {
  Client,
  type Transport,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import { answerServer, capabilitiesOf, type ServerRequestContext } from './answer-server.ts';
import { keepListening } from './keep-listening.ts';
import { maxTimerMs } from './no-timeout.ts';

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
  keepListening(client, options);
  return client;
}

function negotiation(era: Era | undefined): VersionNegotiationOptions {
  if (era === 'legacy') return { mode: 'legacy' };
  return { mode: era === 'modern' ? { pin: '2026-07-28' } : 'auto' };
}
