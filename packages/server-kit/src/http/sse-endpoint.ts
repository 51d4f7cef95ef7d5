import type { IncomingMessage, ServerResponse } from 'node:http';
import { rpcCode } from '@errand/wire';
import { EventStream } from '@errand/wire/node';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { Conversation } from '../json-rpc/conversation.ts';
import type { Limits } from '../limits.ts';
import type { LiveServer } from '../live-server.ts';
import type { Session } from '../sessions.ts';
import { readJson } from './read-json.ts';
import { replyError, replyJson, replyRefused, statusOfReplies } from './reply.ts';

/** Where clients of HTTP+SSE open their stream, and where they post. */
export const ssePaths = { stream: '/sse', messages: '/messages' } as const;

/** The transport of 2024-11-05, for older clients. */
export class SseEndpoint {
  readonly #live: LiveServer;
  readonly #sessions = new Map<string, SseSession>();

  constructor(live: LiveServer) {
    this.#live = live;
  }

  async serve(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (url.pathname === ssePaths.stream && request.method === 'GET') await this.#open(response);
    else if (url.pathname === ssePaths.messages && request.method === 'POST') {
      await this.#post(request, response, url.searchParams.get('sessionId'));
    } else {
      const message = `GET ${ssePaths.stream}, then POST to the endpoint that it names.`;
      replyError(response, 405, message);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  async #open(response: ServerResponse): Promise<void> {
    const opened = this.#live.sessions.open('sse', () => transport.close());
    if (opened.kind === 'refused') {
      replyRefused(response, opened.message);
      return;
    }
    const { session } = opened;
    const transport = new SseSession(session, response, this.#live.limits, ssePaths.messages);
    transport.onclose = () => this.#sessions.delete(session.sessionId);
    this.#sessions.set(session.sessionId, transport);
    await this.#live.connect(session, transport);
  }

  async #post(request: IncomingMessage, response: ServerResponse, id: string | null) {
    if (id === null) {
      const message = 'Name the session: ?sessionId=ID';
      replyError(response, 400, message, { code: rpcCode.invalidRequest });
      return;
    }
    const session = this.#sessions.get(id);
    if (session === undefined) {
      replyError(response, 404, 'This session does not exist or has expired. Connect again.');
      return;
    }
    const body = await readJson(
      request,
      response,
      this.#live.limits.bodyBytes,
      this.#live.shared.gate,
    );
    if (body !== undefined) session.post(body.value, response);
  }
}

/** One client over HTTP+SSE, the transport of 2024-11-05: it posts, and reads answers on one stream. */
class SseSession implements Transport {
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
