import type { IncomingMessage, ServerResponse } from 'node:http';
import { readMessage, rpcCode } from '@errand/wire';
import { accepts } from '@errand/wire/node';
import {
  classifyInboundRequest,
  type JSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { checkParams } from '../json-rpc/check-params.ts';
import { asSdkMessage, type ReadableMessage, replyTo } from '../json-rpc/sdk-message.ts';
import type { LiveServer } from '../live-server.ts';
import { ModernRequests } from './modern-requests.ts';
import { readJson } from './read-json.ts';
import { replyError, replyJson, replyRefused, statusOfReplies } from './reply.ts';
import { StreamableSession } from './streamable-session.ts';

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
      const body = await readJson(
        request,
        response,
        this.#live.limits.bodyBytes,
        this.#live.shared.gate,
      );
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
    const incoming = readMessage(value);
    if (incoming.kind === 'invalid') {
      const reply = replyTo(incoming);
      replyJson(response, incoming.isAnswerable ? statusOfReplies([reply]) : 400, reply);
      return;
    }
    const { kind } = classifyInboundRequest({
      httpMethod: 'POST',
      ...headerOf(request, 'mcp-protocol-version', 'protocolVersionHeader'),
      ...headerOf(request, 'mcp-method', 'mcpMethodHeader'),
      ...headerOf(request, 'mcp-name', 'mcpNameHeader'),
      body: value,
    });
    if (kind === 'legacy') await this.#postLegacy(request, response, value, incoming);
    else await this.#postModern(request, response, value, incoming);
  }

  async #postModern(
    request: IncomingMessage,
    response: ServerResponse,
    value: unknown,
    incoming: ReadableMessage,
  ): Promise<void> {
    const isRequest = incoming.kind === 'request';
    const problem = isRequest ? checkParams(value as JSONRPCRequest, 'modern') : undefined;
    if (isRequest && problem !== undefined) {
      replyError(response, 200, problem, { code: rpcCode.invalidParams, id: incoming.id });
    } else await this.#modern.serve(request, response, asSdkMessage(value, incoming));
  }

  async #postLegacy(
    request: IncomingMessage,
    response: ServerResponse,
    value: unknown,
    incoming?: ReadableMessage,
  ): Promise<void> {
    const accept = request.headers.accept ?? '';
    if (!(accepts(accept, 'application/json') && accepts(accept, 'text/event-stream'))) {
      replyError(response, 406, 'Accept both application/json and text/event-stream.');
      return;
    }
    const isOpening =
      incoming?.kind === 'request' &&
      incoming.method === 'initialize' &&
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
      replyError(response, 400, message, { code: rpcCode.invalidRequest });
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
