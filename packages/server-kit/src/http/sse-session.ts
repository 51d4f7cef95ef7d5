import type { ServerResponse } from 'node:http';
import { EventStream } from '@errand/wire/node';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { Conversation } from '../json-rpc/conversation.ts';
import type { Limits } from '../limits.ts';
import type { Session } from '../sessions.ts';
import { replyJson, statusOfReplies } from './reply.ts';

/** One client over HTTP+SSE, the transport of 2024-11-05: it posts, and reads answers on one stream. */
export class SseSession implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly sessionId: string;
  readonly #stream: EventStream;
  readonly #conversation: Conversation;
  #isClosed = false;

  /** Opens the stream and tells the client where to post. */
  constructor(session: Session, response: ServerResponse, limits: Limits, postTo: string) {
    this.sessionId = session.sessionId;
    this.#conversation = new Conversation(session);
    session.streams += 1;
    this.#stream = new EventStream(response, limits);
    this.#stream.send(`${postTo}?sessionId=${session.sessionId}`, 'endpoint');
    response.once('close', () => {
      session.streams -= 1;
      this.close().catch((error: Error) => this.onerror?.(error));
    });
  }

  async start(): Promise<void> {}

  /** Serves one POST: accepted at once, answered on the stream. */
  post(value: unknown, response: ServerResponse): void {
    const { messages, replies, unusable, isBatch } = this.#conversation.accept(value);
    for (const reason of unusable) this.onerror?.(new Error(reason));
    if (messages.length === 0 && replies.length > 0 && statusOfReplies(replies) === 400) {
      replyJson(response, 400, isBatch ? replies : replies[0]);
      return;
    }
    response.writeHead(202).end('Accepted');
    for (const reply of replies) this.#stream.send(JSON.stringify(reply));
    for (const message of messages) this.onmessage?.(message);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    this.#conversation.sent(message);
    this.#stream.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stream.end();
    this.onclose?.();
  }
}
