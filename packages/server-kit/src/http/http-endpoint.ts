import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  classifyInboundRequest,
  INVALID_PARAMS,
  INVALID_REQUEST,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { checkParams } from '../json-rpc/check-params.ts';
import { type Inbound, readMessage } from '../json-rpc/read-message.ts';
import type { LiveServer } from '../live-server.ts';
import { ModernRequests } from './modern-requests.ts';
import { readJson } from './read-json.ts';
import { replyError, replyJson, replyRefused, statusOfReplies } from './reply.ts';
import { StreamableSession } from './streamable-session.ts';

/** What could be read as a message. */
type Readable = Extract<Inbound, { readonly message: unknown }>;

/** Streamable HTTP on one path, for both eras of the protocol. */
export class HttpEndpoint {
  readonly #live: LiveServer;
  readonly #sessions = new Map<string, StreamableSession>();
  readonly #modern: ModernRequests;

  constructor(live: LiveServer) {
    this.#live = live;
    this.#modern = new ModernRequests(live);
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'POST') {
      const body = await readJson(request, response, this.#live.limits.bodyBytes);
      if (body !== undefined) await this.#post(request, response, body.value);
    } else if (request.method === 'GET') this.#listen(request, response);
    else if (request.method === 'DELETE') await this.#end(request, response);
    else {
      const headers = { Allow: 'POST, GET, DELETE' };
      replyError(response, 405, 'Use POST, GET or DELETE.', { headers });
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
    await this.#modern.close();
  }

  async #post(request: IncomingMessage, response: ServerResponse, value: unknown): Promise<void> {
    if (Array.isArray(value)) {
      await this.#postLegacy(request, response, value);
      return;
    }
    const inbound = readMessage(value);
    if (inbound.kind === 'invalid') {
      replyJson(response, statusOfReplies([inbound.reply]), inbound.reply);
      return;
    }
    if (inbound.kind === 'unusable') {
      replyError(response, 400, `${inbound.reason}.`, { code: INVALID_REQUEST });
      return;
    }
    const { kind } = classifyInboundRequest({
      httpMethod: 'POST',
      ...headerOf(request, 'mcp-protocol-version', 'protocolVersionHeader'),
      ...headerOf(request, 'mcp-method', 'mcpMethodHeader'),
      ...headerOf(request, 'mcp-name', 'mcpNameHeader'),
      body: value,
    });
    if (kind === 'legacy') await this.#postLegacy(request, response, value, inbound);
    else await this.#postModern(request, response, inbound);
  }

  async #postModern(
    request: IncomingMessage,
    response: ServerResponse,
    { kind, message }: Readable,
  ): Promise<void> {
    const problem = kind === 'request' ? checkParams(message, 'modern') : undefined;
    if (kind === 'request' && problem !== undefined) {
      replyError(response, 200, problem, { code: INVALID_PARAMS, id: message.id });
    } else await this.#modern.serve(request, response, message);
  }

  async #postLegacy(
    request: IncomingMessage,
    response: ServerResponse,
    value: unknown,
    inbound?: Readable,
  ): Promise<void> {
    const accept = request.headers.accept ?? '';
    if (!(accepts(accept, 'application/json') && accepts(accept, 'text/event-stream'))) {
      replyError(response, 406, 'Accept both application/json and text/event-stream.');
      return;
    }
    const isOpening =
      inbound?.kind === 'request' &&
      inbound.message.method === 'initialize' &&
      request.headers['mcp-session-id'] === undefined;
    if (isOpening) await this.#open(response, value);
    else this.#sessionOf(request, response)?.post(value, response);
  }

  async #open(response: ServerResponse, value: unknown): Promise<void> {
    const opened = this.#live.sessions.open('http', () => transport.close());
    if (opened.kind === 'refused') {
      replyRefused(response, opened.message);
      return;
    }
    const { session } = opened;
    const transport = new StreamableSession(session, this.#live.limits);
    transport.onclose = () => this.#sessions.delete(session.sessionId);
    this.#sessions.set(session.sessionId, transport);
    await this.#live.connect(session, transport);
    transport.post(value, response);
    if (!transport.isInitialized) await transport.close();
  }

  #listen(request: IncomingMessage, response: ServerResponse): void {
    if (!accepts(request.headers.accept ?? '', 'text/event-stream')) {
      replyError(response, 406, 'Accept text/event-stream.');
      return;
    }
    this.#sessionOf(request, response)?.listen(response);
  }

  async #end(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = this.#sessionOf(request, response);
    if (session === undefined) return;
    await session.close();
    response.writeHead(200).end();
  }

  /** The session a request names, or undefined after an answer that says what is wrong. */
  #sessionOf(request: IncomingMessage, response: ServerResponse): StreamableSession | undefined {
    const id = request.headers['mcp-session-id'];
    if (typeof id !== 'string') {
      const message = 'Send initialize first, then its Mcp-Session-Id with every request.';
      replyError(response, 400, message, { code: INVALID_REQUEST });
      return undefined;
    }
    const version = request.headers['mcp-protocol-version'];
    if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) {
      const known = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
      replyError(response, 400, `Protocol version ${version} is not supported. Use: ${known}.`);
      return undefined;
    }
    const session = this.#sessions.get(id);
    if (session === undefined) {
      replyError(response, 404, 'This session does not exist or has expired. Initialize again.');
    }
    return session;
  }
}

function headerOf<Key extends string>(request: IncomingMessage, name: string, key: Key) {
  const value = request.headers[name];
  return (value === undefined ? {} : { [key]: String(value) }) as { readonly [K in Key]?: string };
}

function accepts(accept: string, type: string): boolean {
  return accept.includes(type) || accept.includes('*/*');
}
