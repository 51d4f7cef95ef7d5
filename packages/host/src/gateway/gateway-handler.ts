import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerPost } from './answer-post.ts';
import type { Gateway } from './gateway.ts';
import { type GuardOptions, guardRequest } from './guard-request.ts';
import { type HttpExchange, withSession } from './http-exchange.ts';
import { HttpReply, sendError, sendStatus } from './http-reply.ts';
import { type HttpSession, HttpSessions, type SessionLimits } from './http-sessions.ts';
import { parseJson, rpcCode } from './json-rpc.ts';
import { readBody } from './read-body.ts';

export interface HandlerOptions extends GuardOptions {
  readonly sessions?: SessionLimits;
  /** Milliseconds between signs of life to a client that waits. */
  readonly keepAliveMs?: number;
  readonly now?: () => number;
  /** What every client's address is taken to say after its question mark: `note=…&line=…`. */
  readonly query?: string;
}

const bodyLimit = 4 * 1024 * 1024;
/** Clients that never say goodbye are forgotten after a day; they do not all recover from it. */
const defaultLimits = { most: 1000, idleMs: 24 * 60 * 60 * 1000 };

/** The gateway over Streamable HTTP, for a server of its own or a path of another's. */
export class GatewayHandler implements Disposable {
  readonly #gateway: Gateway;
  readonly #guard: ReturnType<typeof guardRequest>;
  readonly #query: string | undefined;
  readonly #sessions: HttpSessions;
  readonly #waiting = new Set<HttpReply>();
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: () => void;

  constructor(gateway: Gateway, options: HandlerOptions = {}) {
    this.#gateway = gateway;
    this.#guard = guardRequest(options);
    this.#query = options.query;
    this.#sessions = new HttpSessions(options.sessions ?? defaultLimits, options.now ?? Date.now);
    this.#timer = setInterval(() => {
      for (const reply of this.#waiting) reply.keepAlive();
    }, options.keepAliveMs ?? 15_000).unref();
    this.#stopListening = gateway.onToolsChanged(() => this.#sessions.announceChange());
  }

  /** Answers one HTTP request, whatever its path. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.#answer(request, response).catch((error: Error) => {
      if (response.headersSent || response.destroyed) response.destroy();
      else sendError(response, 500, { code: rpcCode.internalError, message: error.message });
    });
  };

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#stopListening();
    this.#sessions.closeAll();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const turnedAway = this.#guard(request);
    if (turnedAway !== undefined) {
      const { status, message } = turnedAway;
      if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
      return refuse(response, status, message);
    }
    const [, asked = ''] = (request.url ?? '').split('?', 2);
    if (this.#query !== undefined && new URLSearchParams(asked).has('note')) {
      const message = 'This gateway is limited to one note. Leave "note" out of the address.';
      return refuse(response, 400, message);
    }
    const http = this.#exchange(request, response, this.#query ?? asked);
    switch (request.method) {
      case 'POST':
        return this.#post(http);
      case 'GET':
        return withSession(http, (session) => this.#openStream(http, session));
      case 'DELETE':
        return withSession(http, (session) => {
          this.#sessions.close(session);
          sendStatus(response, 204);
        });
      default:
        response.setHeader('Allow', 'GET, POST, DELETE');
        return refuse(response, 405, `${request.method} is not used by MCP.`);
    }
  }

  #openStream(http: HttpExchange, session: HttpSession): void {
    if (!accepts(http.request, 'text/event-stream')) {
      refuse(http.response, 406, 'A stream needs "Accept: text/event-stream".');
      return;
    }
    const { streams } = session;
    const stream: HttpReply = http.reply(() => streams.splice(streams.indexOf(stream), 1));
    stream.openStream();
    this.#sessions.addStream(session, stream);
  }

  async #post(http: HttpExchange): Promise<void> {
    const { request, response } = http;
    if (!request.headers['content-type']?.startsWith('application/json')) {
      return refuse(response, 415, 'A message needs "Content-Type: application/json".');
    }
    if (!accepts(request, 'application/json')) {
      return refuse(response, 406, 'Answers need "Accept: application/json, text/event-stream".');
    }
    const body = await readBody(request, bodyLimit);
    if (body === undefined) {
      // What is left of the body is not read, so nothing can follow it.
      response.setHeader('Connection', 'close');
      return refuse(response, 413, `A message may have ${bodyLimit} bytes.`);
    }
    const message = parseJson(body);
    if (message === undefined) {
      const error = { code: rpcCode.parseError, message: 'Parse error: the body is not JSON.' };
      return sendError(response, 400, error);
    }
    return answerPost(http, message);
  }

  #exchange(request: IncomingMessage, response: ServerResponse, query: string): HttpExchange {
    const reply = (onGone: () => void) => {
      const begun: HttpReply = new HttpReply(
        response,
        accepts(request, 'text/event-stream'),
        onGone,
        () => this.#waiting.delete(begun),
      );
      this.#waiting.add(begun);
      return begun;
    };
    return { gateway: this.#gateway, sessions: this.#sessions, request, response, query, reply };
  }
}

function accepts({ headers: { accept } }: IncomingMessage, type: string): boolean {
  return accept === undefined || accept.includes(type) || accept.includes('*/*');
}

function refuse(response: ServerResponse, status: number, message: string): void {
  sendError(response, status, { code: rpcCode.invalidRequest, message });
}
