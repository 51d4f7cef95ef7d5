import type { IncomingMessage, ServerResponse } from 'node:http';
import { rpcCode } from '@errand/wire';
import type { LiveServer } from '../live-server.ts';
import { readJson } from './read-json.ts';
import { replyError, replyRefused } from './reply.ts';
import { SseSession } from './sse-session.ts';

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
    const body = await readJson(request, response, this.#live.limits.bodyBytes);
    if (body !== undefined) session.post(body.value, response);
  }
}
