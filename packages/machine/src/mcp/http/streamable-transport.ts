import { catchFaults } from '@errand/host';
import { encodeHeaderValue, onAbort, parseMessages } from '@errand/wire';
import {
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  SdkHttpError,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { deliverMessage } from '../deliver-message.ts';
import { longestMessage, tooLarge } from '../message-limit.ts';
import { refusal } from '../refusal.ts';
import { UnreadAnswers } from '../unread-answers.ts';
import type { AuthorizedHttpClient } from './authorized-http-client.ts';
import { cutOff, noAnswerIn } from './bad-answer.ts';
import { discardBody } from './discard-body.ts';
import type { HttpResponse } from './http-client.ts';
import { keepStreamOpen } from './keep-stream-open.ts';
import { type EndOfStream, type MessageSource, readMessageStream } from './message-stream.ts';
import { readAnswer } from './read-answer.ts';
import { readText } from './read-body.ts';
import { isSessionRefusal, SessionLost } from './session-lost.ts';
import { maxUnread, notificationTimeout, type TransportListener } from './transport-listener.ts';

type Id = string | number;

/** Streamable HTTP in both eras of the protocol. */
export class StreamableTransport implements Transport, MessageSource {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  readonly hasPerRequestStream = true;
  readonly #http: AuthorizedHttpClient;
  readonly #listener: TransportListener;
  readonly #unread: UnreadAnswers;
  readonly #closing = new AbortController();
  /** Requests without an answer, each with the switch that ends its stream. */
  readonly #unanswered = new Map<Id, AbortController>();
  #sessionId: string | undefined;
  #protocolVersion: string | undefined;

  /** The listener is called when the notification stream cannot be reopened. */
  constructor(http: AuthorizedHttpClient, listener: TransportListener) {
    this.#http = http;
    this.#listener = listener;
    this.#unread = new UnreadAnswers(http.server, maxUnread, listener.onFault);
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (!('method' in message)) return this.#unread.add(this.#tell(message));
    if (!('id' in message)) return this.#tell(message);
    const stop = new AbortController();
    const { requestSignal } = options;
    onAbort(requestSignal, () => stop.abort());
    this.#unanswered.set(message.id, stop);
    try {
      const answer = await this.#post(message, stop.signal, options.headers);
      if (message.method === 'initialize') this.#sessionId = sessionIdIn(answer);
      if (answer !== undefined) await this.#takeAnswer(answer, message.id, options, stop.signal);
    } catch (error) {
      this.#unanswered.delete(message.id);
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    for (const stop of this.#unanswered.values()) stop.abort();
    this.onclose?.();
  }

  /** Tells the server that the session is over. It need not care. */
  async endSession(signal: AbortSignal): Promise<void> {
    if (this.#sessionId === undefined) return;
    const answer = await this.#http.ask({ method: 'DELETE', headers: this.#headers(), signal });
    discardBody(answer.body);
  }

  listen(lastEventId: string | undefined, signal: AbortSignal): Promise<HttpResponse> {
    return this.#http.ask({
      method: 'GET',
      headers: {
        ...this.#headers(),
        accept: 'text/event-stream',
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      signal,
    });
  }

  read(answer: HttpResponse, onEvent?: () => void): Promise<EndOfStream> {
    return readMessageStream(this.#http.server, answer, (message) => {
      this.#take(message);
      onEvent?.();
    });
  }

  /** Sends a notification or a response. */
  async #tell(message: JSONRPCMessage): Promise<void> {
    const { signal } = this.#closing;
    const posting = this.#post(message, AbortSignal.any([signal, notificationTimeout()]));
    if ('method' in message && message.method === 'notifications/cancelled') {
      // The answer to a request that was cancelled is not waited for, nor what a hung server says to that.
      const id = message.params?.requestId as Id;
      this.#unanswered.get(id)?.abort();
      this.#unanswered.delete(id);
    }
    const answer = await posting;
    if (answer !== undefined) discardBody(answer.body);
    if (!('method' in message)) return;
    if (message.method === 'notifications/initialized') {
      const { onStreamLost, onFault } = this.#listener;
      catchFaults(() => keepStreamOpen(this, onStreamLost, signal), onFault)();
    }
  }

  /** Resolves with nothing when the answer has been dealt with: an error in the body of a refusal. */
  async #post(
    message: JSONRPCMessage,
    signal: AbortSignal,
    extra: Readonly<Record<string, string>> = {},
  ): Promise<HttpResponse | undefined> {
    const isHandshake = 'method' in message && message.method === 'initialize';
    const repeated = messageHeaders(message);
    try {
      return await this.#http.ask({
        method: 'POST',
        headers: {
          ...extra,
          ...(isHandshake ? {} : this.#headers()),
          ...repeated,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(message),
        signal,
      });
    } catch (error) {
      if (this.#sessionId !== undefined && !isHandshake && isSessionRefusal(error)) {
        throw new SessionLost('The server no longer knows the session.', { cause: error });
      }
      // The newer era says with HTTP 400 what the older says with 200.
      const answer = repeated['mcp-method'] === undefined ? undefined : errorIn(error);
      if (answer === undefined || !('id' in message) || answer.id !== message.id) throw error;
      this.#take(answer);
      return undefined;
    }
  }

  async #takeAnswer(
    answer: HttpResponse,
    id: Id,
    { onRequestStreamEnd }: TransportSendOptions,
    signal: AbortSignal,
  ): Promise<void> {
    const { server } = this.#http;
    const type = answer.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
    if (type === 'text/event-stream') {
      const isAnswered = () => !this.#unanswered.has(id);
      const onEnd = (reason: unknown) => {
        if (!this.#unanswered.delete(id) || signal.aborted) return;
        if (onRequestStreamEnd) onRequestStreamEnd();
        else this.#take(refusal(id, cutOff(server, reason)));
      };
      const read = async () => onEnd(await readAnswer(this, answer, isAnswered, signal));
      catchFaults(read, this.#listener.onFault)();
      return;
    }
    const reading = readText(answer.body, longestMessage, (bytes) => tooLarge(server, bytes));
    const text = await reading.catch((error: unknown) => {
      throw signal.aborted ? error : cutOff(server, error);
    });
    for (const message of parseMessages(text) ?? []) this.#take(message);
    if (!this.#unanswered.delete(id)) return;
    this.#take(refusal(id, noAnswerIn(text, { server, type, status: answer.status })));
  }

  #take(message: JSONRPCMessage): void {
    if (!('method' in message) && message.id !== undefined) this.#unanswered.delete(message.id);
    deliverMessage(this, message, this.#listener.onFault);
  }

  #headers(): Record<string, string> {
    return {
      ...(this.#sessionId !== undefined && { 'mcp-session-id': this.#sessionId }),
      ...(this.#protocolVersion !== undefined && { 'mcp-protocol-version': this.#protocolVersion }),
    };
  }
}

function sessionIdIn(answer: HttpResponse | undefined): string | undefined {
  return answer?.headers['mcp-session-id']?.toString();
}

function errorIn(error: unknown): JSONRPCErrorResponse | undefined {
  const text = error instanceof SdkHttpError ? String(error.data.text) : '';
  const [message] = parseMessages(text) ?? [];
  return message !== undefined && 'error' in message ? message : undefined;
}

/** Where each method has the name that proxies may route by. */
const nameFields: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** The headers that repeat what a request of the newer era says in its body; none in the older era. */
function messageHeaders(message: JSONRPCMessage): Record<string, string> {
  if (!('method' in message) || !('id' in message)) return {};
  const version = message.params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof version !== 'string') return {};
  const name = message.params?.[nameFields[message.method] ?? ''];
  return {
    'mcp-protocol-version': version,
    'mcp-method': message.method,
    ...(typeof name === 'string' && { 'mcp-name': encodeHeaderValue(name) }),
  };
}
