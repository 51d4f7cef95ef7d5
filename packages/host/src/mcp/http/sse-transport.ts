import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { HostError } from '../../host-error.ts';
import { handOver } from '../hand-over.ts';
import { longestMessage, tooLarge } from '../message-limit.ts';
import { parseMessages } from '../parse-messages.ts';
import type { HttpPeer } from './http-peer.ts';
import { readEvents } from './read-body.ts';

/** The HTTP+SSE transport of 2024-11-05: one stream for all answers, one POST per message. */
export class SseTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  readonly #peer: HttpPeer;
  readonly #onStreamLost: () => void;
  readonly #closing = new AbortController();
  #endpoint: URL | undefined;
  #protocolVersion: string | undefined;

  /** `onStreamLost` is told when the stream breaks: with it goes the session. */
  constructor(peer: HttpPeer, onStreamLost: () => void) {
    this.#peer = peer;
    this.#onStreamLost = onStreamLost;
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version;
  }

  /** Resolves when the server has said where it takes messages. */
  async start(): Promise<void> {
    const { server } = this.#peer;
    const { signal } = this.#closing;
    const headers = { accept: 'text/event-stream' };
    const { body } = await this.#peer.ask({ method: 'GET', headers, signal });
    await new Promise<void>((resolve, reject) => {
      const reading = readEvents(body, {
        limit: longestMessage,
        tooLarge: (bytes) => tooLarge(server, bytes),
        onRetry: () => undefined,
        onEvent: ({ event, data }) => {
          if (event === 'endpoint') {
            this.#endpoint = endpointFrom(data, this.#peer.url);
            resolve();
          } else {
            for (const message of parseMessages(data) ?? []) handOver(this, message);
          }
        },
      });
      void reading
        .catch((error: unknown) =>
          this.onerror?.(error instanceof Error ? error : new Error(String(error))),
        )
        .then(() => {
          reject(noEndpoint(server));
          if (!signal.aborted) this.#onStreamLost();
        });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#endpoint === undefined) throw noEndpoint(this.#peer.server);
    const answer = await this.#peer.ask(
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(this.#protocolVersion !== undefined && {
            'mcp-protocol-version': this.#protocolVersion,
          }),
        },
        body: JSON.stringify(message),
        signal: this.#closing.signal,
      },
      this.#endpoint,
    );
    answer.body.resume();
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.onclose?.();
  }
}

/** The server's word where to send messages; another origin would get our headers. */
function endpointFrom(data: string, url: URL): URL | undefined {
  if (!URL.canParse(data, url.href)) return undefined;
  const endpoint = new URL(data, url);
  return endpoint.origin === url.origin ? endpoint : undefined;
}

function noEndpoint(server: string): HostError {
  return new HostError(
    'server_unavailable',
    `Server "${server}" does not say, on its own address, where it takes messages. Is it an SSE server? Check its "url" and "transport" in the settings.`,
    { server, neverSent: true },
  );
}
