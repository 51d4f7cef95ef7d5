import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly protocolVersion?: string };
}

/** What a test answers in the server's place. */
export interface OddAnswers {
  /** Answers a call: on its own response, or on the open stream of the older SSE transport. */
  readonly call?: (id: string | number, response: ServerResponse, tool: string) => void;
  /** Answers the request for the stream on which a server speaks unasked; refused without it. */
  readonly stream?: (response: ServerResponse, request: IncomingMessage) => void;
  /** Answers any request before all others; says whether it did. */
  readonly any?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** The session that the handshake gives out. */
  readonly session?: string;
}

/** A server over HTTP that does the handshake of the older era and answers the rest as a test wants. */
export class OddHttpServer implements AsyncDisposable {
  /** Every request that came, by method and path. */
  readonly requests: string[] = [];
  answers: OddAnswers;
  readonly #server = createServer((request, response) => void this.#take(request, response));
  #stream: ServerResponse | undefined;

  constructor(answers: OddAnswers = {}) {
    this.answers = answers;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  get sseUrl(): string {
    return this.url.replace('/mcp', '/sse');
  }

  /** How many connections are open. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(`${request.method} ${request.url}`);
    response.on('error', () => undefined);
    if (this.answers.any?.(request, response)) {
      request.resume();
      return;
    }
    const isSse = request.url === '/sse';
    if (request.method === 'GET' && isSse) this.#stream = openStream(response);
    else if (request.method === 'GET' && this.answers.stream)
      this.answers.stream(response, request);
    else if (request.method === 'GET') response.writeHead(405).end();
    else if (request.method === 'DELETE') response.end();
    else this.#answer(await readMessage(request), response, isSse);
  }

  #answer({ id, method, params }: Message, response: ServerResponse, isSse: boolean): void {
    const stream = isSse ? this.#stream : undefined;
    if (id === undefined || stream !== undefined) response.writeHead(202).end();
    if (id === undefined) return;
    if (method === 'tools/call') {
      this.answers.call?.(id, stream ?? response, params?.name ?? '');
      return;
    }
    const result = method === 'initialize' ? handshake(params?.protocolVersion) : { tools };
    const body =
      method === 'server/discover'
        ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }
        : { jsonrpc: '2.0', id, result };
    if (stream !== undefined) stream.write(`data: ${JSON.stringify(body)}\n\n`);
    else response.writeHead(200, this.#head()).end(JSON.stringify(body));
  }

  #head(): Record<string, string> {
    const { session } = this.answers;
    return { 'content-type': 'application/json', ...(session && { 'mcp-session-id': session }) };
  }
}

const tools = [
  { name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
];

function handshake(protocolVersion = '2025-06-18') {
  const serverInfo = { name: 'odd', version: '1.0.0' };
  return { protocolVersion, capabilities: { tools: {} }, serverInfo };
}

function openStream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('event: endpoint\ndata: /sse\n\n');
  return response;
}

async function readMessage(request: IncomingMessage): Promise<Message> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return JSON.parse(text) as Message;
}
