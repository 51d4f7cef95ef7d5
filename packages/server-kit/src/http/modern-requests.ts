import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import {
  createMcpHandler,
  type JSONRPCMessage,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import { buildSdkServer } from '../build-sdk-server.ts';
import { declaredCapabilities } from '../json-rpc/declared-capabilities.ts';
import type { LiveServer } from '../live-server.ts';
import type { Session } from '../sessions.ts';
import { replyRefused } from './reply.ts';

/** Serves revision 2026-07-28: no sessions, each request carries all it needs. */
export class ModernRequests {
  readonly #live: LiveServer;
  readonly #sessions = new WeakMap<Request, Session>();
  readonly #handler: McpHttpHandler;

  constructor(live: LiveServer) {
    this.#live = live;
    this.#handler = createMcpHandler(
      ({ requestInfo }) => buildSdkServer(live.shared, this.#sessionOf(requestInfo)),
      {
        legacy: 'reject',
        keepAliveMs: live.limits.keepAlive,
        onerror: (error) => live.shared.onUnserved('http', error),
      },
    );
  }

  async serve(
    request: IncomingMessage,
    response: ServerResponse,
    message: JSONRPCMessage,
  ): Promise<void> {
    const hangUp = new AbortController();
    const opened = this.#live.sessions.open('http', () => hangUp.abort(), { isBrief: true });
    if (opened.kind === 'refused') {
      replyRefused(response, opened.message);
      return;
    }
    const { session } = opened;
    if ('method' in message && 'id' in message) {
      session.capabilities = declaredCapabilities(message) ?? {};
      if (message.method === 'subscriptions/listen') session.streams = 1;
      else session.unanswered = 1;
    }
    const served =
      'method' in message ? session.begin(message.method, 'id' in message && message.id) : () => {};
    response.once('close', () => {
      served(response.writableFinished ? 'answered' : 'cancelled');
      hangUp.abort();
      this.#live.sessions.close(session);
    });
    const web = new Request('http://localhost', {
      method: 'POST',
      headers: webHeaders(request),
      signal: hangUp.signal,
    });
    this.#sessions.set(web, session);
    await write(await this.#handler.fetch(web, { parsedBody: message }), response);
  }

  async close(): Promise<void> {
    await this.#handler.close();
  }

  #sessionOf(request: Request | undefined): Session {
    const session = request && this.#sessions.get(request);
    if (session === undefined) throw new Error('A request came without its session.');
    return session;
  }
}

function webHeaders(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}

async function write(from: Response, to: ServerResponse): Promise<void> {
  if (to.destroyed) {
    await from.body?.cancel();
    return;
  }
  to.writeHead(from.status, Object.fromEntries(from.headers));
  if (from.body === null) {
    to.end();
    return;
  }
  if (from.headers.get('content-type') === 'application/json') {
    to.end(Buffer.from(await from.arrayBuffer()));
    return;
  }
  to.flushHeaders();
  // A client that hangs up ends the pipeline, which cancels the stream and with it the call.
  await pipeline(Readable.fromWeb(from.body as ReadableStream), to).catch(() => {});
}
