import type { ServerResponse } from 'node:http';
import { rpcCode } from '@errand/wire';
import { EventStream } from '@errand/wire/node';
import type {
  JSONRPCMessage,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server';
import { Conversation } from '../json-rpc/conversation.ts';
import type { Limits } from '../limits.ts';
import type { Session } from '../sessions.ts';
import { Exchange } from './exchange.ts';
import { replyError, replyJson, statusOfReplies } from './reply.ts';

const maximumUnheard = 100;

/**
 * One client over Streamable HTTP as the revisions before 2026-07-28 know it: a session of POSTs,
 * each answered by itself, and one GET stream for what belongs to no request. A client that hangs
 * up cancels what it asked for: without a store of events nothing could be delivered later.
 */
export class StreamableSession implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly sessionId: string;
  readonly #session: Session;
  readonly #limits: Limits;
  readonly #conversation: Conversation;
  readonly #exchanges = new Map<RequestId, Exchange>();
  /** Messages of no request that were sent before the client opened its stream. */
  readonly #unheard: JSONRPCMessage[] = [];
  #stream: EventStream | undefined;
  #isClosed = false;

  constructor(session: Session, limits: Limits) {
    this.sessionId = session.sessionId;
    this.#session = session;
    this.#limits = limits;
    this.#conversation = new Conversation(session);
  }

  async start(): Promise<void> {}

  get isInitialized(): boolean {
    return this.#conversation.isInitialized;
  }

  /** Serves one POST. */
  post(value: unknown, response: ServerResponse): void {
    const { messages, replies, unusable, cancelled, isBatch } = this.#conversation.accept(value);
    for (const reason of unusable) this.onerror?.(new Error(reason));
    const ids = messages.flatMap((message) =>
      'method' in message && 'id' in message ? [message.id] : [],
    );
    if (ids.length > 0) {
      const exchange = this.#openExchange(response, ids, isBatch);
      for (const reply of replies) exchange.answer(reply, undefined);
    } else if (replies.length > 0) {
      replyJson(response, statusOfReplies(replies), isBatch ? replies : replies[0], this.#headers);
    } else if (messages.length > 0) {
      response.writeHead(202).end();
    } else {
      replyError(response, 400, 'The body is no message.', { code: rpcCode.invalidRequest });
    }
    for (const message of messages) this.onmessage?.(message);
    for (const id of cancelled) this.#forget(id);
  }

  /** Serves the GET stream; a second one at a time is refused. */
  listen(response: ServerResponse): void {
    if (this.#stream !== undefined) {
      replyError(response, 409, 'This session already has an open stream.');
      return;
    }
    this.#session.touch();
    this.#session.streams += 1;
    this.#stream = new EventStream(response, { ...this.#limits, headers: this.#headers });
    for (const message of this.#unheard.splice(0)) this.#tell(message, undefined);
    response.once('close', () => {
      this.#session.touch();
      this.#session.streams -= 1;
      this.#stream = undefined;
    });
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#isClosed) return;
    this.#conversation.sent(message);
    if ('method' in message) {
      this.#tell(message, options?.relatedRequestId);
      return;
    }
    if (message.id === undefined) return;
    const exchange = this.#exchanges.get(message.id);
    this.#exchanges.delete(message.id);
    exchange?.answer(message, message.id);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const exchange of new Set(this.#exchanges.values())) exchange.end();
    this.#exchanges.clear();
    this.#stream?.end();
    this.onclose?.();
  }

  #tell(message: JSONRPCMessage, related: RequestId | undefined): void {
    const exchange = related === undefined ? undefined : this.#exchanges.get(related);
    if (exchange !== undefined) exchange.tell(message);
    else if (this.#stream !== undefined) this.#stream.send(JSON.stringify(message));
    else if ('id' in message && this.#exchanges.size > 0) {
      // The SDK does not say which call a question belongs to, and somebody waits for its answer.
      this.#exchanges.values().next().value?.tell(message);
    } else {
      this.#unheard.push(message);
      if (this.#unheard.length > maximumUnheard) this.#unheard.shift();
    }
  }

  get #headers(): Readonly<Record<string, string>> {
    return { 'Mcp-Session-Id': this.sessionId };
  }

  #openExchange(response: ServerResponse, ids: readonly RequestId[], isBatch: boolean): Exchange {
    const exchange = new Exchange(response, ids, {
      limits: this.#limits,
      headers: this.#headers,
      isBatch,
    });
    for (const id of ids) this.#exchanges.set(id, exchange);
    response.once('close', () => {
      for (const id of exchange.waiting) this.#abandon(id);
    });
    return exchange;
  }

  #abandon(id: RequestId): void {
    const params = { requestId: id, reason: 'The client closed the connection.' };
    const message = { jsonrpc: '2.0' as const, method: 'notifications/cancelled', params };
    this.#conversation.accept(message);
    this.#forget(id);
    this.onmessage?.(message);
  }

  #forget(id: RequestId): void {
    const exchange = this.#exchanges.get(id);
    this.#exchanges.delete(id);
    exchange?.forget(id);
  }
}
