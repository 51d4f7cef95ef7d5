import type { IncomingMessage, ServerResponse } from 'node:http';
import { ArraySet, catchFaults, faultNotice, within } from '@errand/host';
import { errorLine, rpcCode } from '@errand/wire';
import { accepts, isJsonType, readBody, readText, refuseBody, sendStatus } from '@errand/wire/node';
import { answerPost } from './answer-post.ts';
import type { Gateway } from './gateway.ts';
import { type GuardOptions, guardRequest } from './guard-request.ts';
import { type HttpExchange, withSession } from './http-exchange.ts';
import { HttpReply, sendError } from './http-reply.ts';
import {
  type HttpSession,
  HttpSessions,
  type SessionLimits,
  type SharedSessions,
} from './http-sessions.ts';
import type { ClientIdentity } from './replica/gateway-client.ts';
import { RunningRequests } from './running-requests.ts';
import { callEnded, graceMs, shutdown } from './shutdown.ts';
import { defaultUnsentLimits, UnsentAnswers, type UnsentLimits } from './unsent-answers.ts';

export interface HandlerOptions extends GuardOptions {
  readonly sessions?: SessionLimits;
  /** Milliseconds between signs of life to a client that waits. */
  readonly keepAliveMs?: number;
  /** Milliseconds, on a clock that is never set back. */
  readonly now?: () => number;
  readonly unsent?: UnsentLimits;
  /** How sessions go on at other replicas of this gateway. */
  readonly shared?: SharedSessions;
  /** What every client's address is taken to say after its question mark: `note=…&line=…`. */
  readonly query?: string;
}

const bodyLimit = 4 * 1024 * 1024;
/** Clients that never say goodbye are forgotten after a day; they do not all recover from it. */
const defaultLimits = { most: 1000, idleMs: 24 * 60 * 60 * 1000 };

/** The gateway over Streamable HTTP, for a server of its own or a path of another's. */
export class GatewayHandler implements AsyncDisposable {
  readonly #gateway: Gateway;
  readonly #guard: ReturnType<typeof guardRequest>;
  readonly #query: string | undefined;
  readonly #sessions: HttpSessions;
  readonly #waiting = new ArraySet<HttpReply>();
  readonly #running = new RunningRequests();
  readonly #unsent: UnsentAnswers;
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: () => void;
  #onIdle: (() => void) | undefined;
  #isClosing = false;

  constructor(gateway: Gateway, options: HandlerOptions = {}) {
    this.#gateway = gateway;
    this.#guard = guardRequest(options);
    this.#query = options.query;
    const now = options.now ?? (() => performance.now());
    this.#sessions = new HttpSessions(options.sessions ?? defaultLimits, now, options.shared);
    this.#unsent = new UnsentAnswers(options.unsent ?? defaultUnsentLimits, gateway.notifier);
    const keepAlive = catchFaults(
      (reply: HttpReply) => reply.keepAlive(),
      (error) =>
        gateway.notifier.notify(faultNotice('A waiting client could not be notified', error)),
    );
    this.#timer = setInterval(() => {
      for (const reply of this.#waiting) keepAlive(reply);
    }, options.keepAliveMs ?? 15_000).unref();
    this.#stopListening = gateway.onListChanged((list) => this.#sessions.announceChange(list));
  }

  /** Answers one HTTP request, whatever its path. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.#answer(request, response).catch((error: Error) => {
      if (response.headersSent || response.destroyed) response.destroy();
      else sendError(response, 500, { code: rpcCode.internalError, message: error.message });
    });
  };

  /** Ends what is here of a session that was ended at another replica. */
  closeSession(name: string): void {
    this.#sessions.closeNamed(name);
  }

  /** Answers what is under way with an error, and waits a moment for the answers to leave. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    this.#stopListening();
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    this.#sessions.closeAll(shutdown);
    this.#running.cancelAll(shutdown);
    if (this.#waiting.size > 0) await within(idle, graceMs);
    clearInterval(this.#timer);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const guarded = this.#guard(request);
    // Most requests need not wait for it.
    const passed = guarded instanceof Promise ? await guarded : guarded;
    if (passed.kind === 'rejected') {
      for (const [name, value] of Object.entries(passed.headers)) response.setHeader(name, value);
      return refuse(response, passed.status, passed.message);
    }
    if (this.#isClosing) return sendError(response, 503, callEnded);
    const [, asked = ''] = (request.url ?? '').split('?', 2);
    const { client } = passed;
    if (this.#query !== undefined && new URLSearchParams(asked).has('note')) {
      const message = 'This gateway is limited to one note. Leave "note" out of the address.';
      return refuse(response, 400, message);
    }
    const query = ownQuery(this.#query ?? asked, client?.name);
    const http = this.#exchange(request, response, query, client);
    switch (request.method) {
      case 'POST':
        return this.#post(http);
      case 'GET':
        return withSession(http, (session) => this.#openStream(http, session));
      case 'DELETE':
        return withSession(http, (session) => {
          this.#sessions.end(session);
          sendStatus(response, 204);
        });
      default:
        response.setHeader('Allow', 'GET, POST, DELETE');
        return refuse(response, 405, `${request.method} is not used by MCP.`);
    }
  }

  #openStream(http: HttpExchange, session: HttpSession): void {
    if (!takes(http.request, 'text/event-stream')) {
      refuse(http.response, 406, 'A stream needs "Accept: text/event-stream".');
      return;
    }
    const stream: HttpReply = http.reply(() => session.streams.delete(stream));
    stream.openStream();
    this.#sessions.addStream(session, stream);
  }

  async #post(http: HttpExchange): Promise<void> {
    const { request, response } = http;
    if (!isJsonType(request.headers['content-type'])) {
      return refuse(response, 415, 'A message needs "Content-Type: application/json".');
    }
    if (!takes(request, 'application/json')) {
      return refuse(response, 406, 'Answers need "Accept: application/json, text/event-stream".');
    }
    const body = await readBody(request, bodyLimit, request.headers['content-length']);
    if (body.kind === 'read') return answerPost(http, readText(body.bytes));
    if (body.kind === 'aborted') return;
    const message = `A message may have at most ${bodyLimit} bytes.`;
    refuseBody(request, response, errorLine(null, { code: rpcCode.invalidRequest, message }));
  }

  #exchange(
    request: IncomingMessage,
    response: ServerResponse,
    query: string,
    client: ClientIdentity | undefined,
  ): HttpExchange {
    const reply = (onGone: () => void, client: object = request.socket) => {
      const canStream = takes(request, 'text/event-stream');
      const unsent = this.#unsent;
      const begun = new HttpReply(response, { canStream, client, unsent, onGone });
      const forget = this.#waiting.add(begun);
      begun.onClosed = () => {
        forget();
        if (this.#waiting.size === 0) this.#onIdle?.();
      };
      return begun;
    };
    return {
      gateway: this.#gateway,
      sessions: this.#sessions,
      running: this.#running,
      request,
      response,
      query,
      client,
      reply,
    };
  }
}

/** Whose request it is is known from its token, whatever its address says. */
function ownQuery(asked: string, client: string | undefined): string {
  if (client === undefined && !asked.includes('client')) return asked;
  const query = new URLSearchParams(asked);
  query.delete('client');
  if (client !== undefined) query.set('client', client);
  return query.toString();
}

function takes({ headers: { accept } }: IncomingMessage, type: string): boolean {
  return accept === undefined || accepts(accept, type);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  sendError(response, status, { code: rpcCode.invalidRequest, message });
}
