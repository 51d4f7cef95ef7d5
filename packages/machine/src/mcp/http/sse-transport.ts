import { catchFaults, HostError } from '@errand/host';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { deliverMessage } from '../deliver-message.ts';
import { longestMessage, tooLarge } from '../message-limit.ts';
import { UnreadAnswers } from '../unread-answers.ts';
import { refuseUnreadable } from '../unreadable-answer.ts';
import type { AuthorizedHttpClient } from './authorized-http-client.ts';
import { afterGracePeriod, discardBody } from './discard-body.ts';
import { messagesIn } from './message-stream.ts';
import { readEvents } from './read-events.ts';
import { maxUnread, notificationTimeout, type TransportListener } from './transport-listener.ts';

type Id = string | number;

/** The HTTP+SSE transport of 2024-11-05: one stream for all answers, one POST per message. */
export class SseTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  readonly #http: AuthorizedHttpClient;
  readonly #listener: TransportListener;
  readonly #unread: UnreadAnswers;
  /** Requests that the server has not taken yet, each with the switch that ends its POST. */
  readonly #posts = new Map<Id, AbortController>();
  readonly #closing = new AbortController();
  #endpoint: URL | undefined;
  #protocolVersion: string | undefined;

  /** The listener is called when the stream breaks, which ends the session. */
  constructor(http: AuthorizedHttpClient, listener: TransportListener) {
    this.#http = http;
    this.#listener = listener;
    this.#unread = new UnreadAnswers(http.server, maxUnread, listener.onFault);
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version;
  }

  /** Resolves when the server has said where it takes messages. */
  async start(): Promise<void> {
    const { server } = this.#http;
    const { signal } = this.#closing;
    const headers = { accept: 'text/event-stream' };
    const { body } = await this.#http.ask({ method: 'GET', headers, signal });
    const { promise: named, resolve, reject } = Promise.withResolvers<void>();
    const read = async () => {
      try {
        await readEvents(body, longestMessage, {
          onEvent: ({ event, data }) => {
            if (event !== 'endpoint') return this.#take(messagesIn(server, data).messages);
            // Only the first word counts: requests under way must not go elsewhere in between.
            this.#endpoint ??= endpointFrom(data, this.#http.url);
            resolve();
          },
          onOversized: ({ head, tail, bytes }) => {
            const refused = refuseUnreadable(head, tail, tooLarge(server, bytes));
            if (refused !== undefined) this.#take([refused]);
            return refused !== undefined;
          },
        });
      } catch (error) {
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
      reject(noEndpoint(server));
      if (!signal.aborted) this.#listener.onStreamLost();
    };
    catchFaults(read, this.#listener.onFault)();
    await named;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) return this.#unread.add(this.#post(message, notificationTimeout()));
    if (!('id' in message)) {
      const posting = this.#post(message, notificationTimeout());
      if (message.method === 'notifications/cancelled') {
        this.#posts.get(message.params?.requestId as Id)?.abort();
      }
      return posting;
    }
    const stop = new AbortController();
    this.#posts.set(message.id, stop);
    try {
      await this.#post(message, stop.signal);
    } finally {
      this.#posts.delete(message.id);
    }
  }

  async #post(message: JSONRPCMessage, stop: AbortSignal): Promise<void> {
    if (this.#endpoint === undefined) throw noEndpoint(this.#http.server);
    const answer = await this.#http.ask(
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(this.#protocolVersion !== undefined && {
            'mcp-protocol-version': this.#protocolVersion,
          }),
        },
        body: JSON.stringify(message),
        signal: AbortSignal.any([this.#closing.signal, stop]),
      },
      this.#endpoint,
    );
    discardBody(answer.body);
  }

  #take(messages: readonly JSONRPCMessage[]): void {
    for (const message of messages) {
      const post = 'method' in message ? undefined : this.#posts.get(message.id ?? '');
      // What the server says to a request that it has answered already is not waited for long.
      if (post !== undefined) afterGracePeriod(() => post.abort());
      deliverMessage(this, message, this.#listener.onFault);
    }
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
