import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { ScriptedSession } from './scripted-session.ts';
import type { ServerScript } from './server-script.ts';

/** How the HTTP side of the scriptable server behaves; may be changed while it runs. */
interface HttpFaults {
  /** Answers as one JSON document instead of a stream. */
  json?: boolean;
  /** Refuses a session that it does not know with this status. */
  sessionRefusal?: 400 | 404;
  /** Forgets a session as soon as a call names it. */
  forgetful?: boolean;
  /** Sends every request on to another address. */
  redirect?: { readonly to: string; readonly status: 301 | 307 };
  /** Cuts the connection instead of answering a call: before the head of the answer, or in its body. */
  cut?: 'before-head' | 'in-body';
  /** Never speaks unasked. */
  noStream?: boolean;
  /** Wants this bearer token. */
  token?: string;
  /** What it says to those who have none. */
  challenge?: string;
  /** Speaks TLS with this key and certificate. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

interface Client {
  readonly session: ScriptedSession;
  /** Requests that wait for their answer, by id. */
  readonly waiting: Map<string | number, ServerResponse>;
  /** The stream on which the server speaks unasked. */
  stream?: ServerResponse;
}

type Message = Readonly<Record<string, unknown>> & { readonly id?: string | number };

/** The scriptable server behind HTTP, inside the test: `/mcp` speaks Streamable HTTP, `/sse` the older transport. */
export class ScriptedHttpServer implements AsyncDisposable {
  readonly faults: HttpFaults;
  /** Every request that came, by method and path, with its headers. */
  readonly requests: { readonly line: string; readonly headers: IncomingMessage['headers'] }[] = [];
  readonly #script: ServerScript;
  readonly #clients = new Map<string, Client>();
  #server: Server | undefined;
  #port = 0;

  constructor(script: ServerScript = {}, faults: HttpFaults = {}) {
    this.#script = script;
    this.faults = faults;
  }

  get url(): string {
    return `${this.#origin}/mcp`;
  }

  get sseUrl(): string {
    return `${this.#origin}/sse`;
  }

  get #origin(): string {
    return `${this.faults.tls === undefined ? 'http' : 'https'}://127.0.0.1:${this.#port}`;
  }

  /** Whether a client has opened a stream on which it hears what nobody asked for. */
  get isHeard(): boolean {
    return [...this.#clients.values()].some(
      ({ stream, session }) => stream ?? session.isListenedTo,
    );
  }

  /** How many calls still wait for their answer on an open connection. */
  get openCalls(): number {
    // Subscriptions, which stay open, are named and not numbered.
    const waiting = [...this.#clients.values()].flatMap((client) => [...client.waiting.keys()]);
    return waiting.filter((id) => typeof id === 'number').length;
  }

  /** Listens, on the same port again after a stop. */
  async start(): Promise<this> {
    const { tls } = this.faults;
    const take = (request: IncomingMessage, response: ServerResponse) =>
      void this.#take(request, response);
    const server = tls === undefined ? createServer(take) : createTlsServer(tls, take);
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    return this;
  }

  /** Goes away with all connections and sessions. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.forgetSessions();
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  }

  /** Ends the streams on which it speaks unasked, as a proxy or a restart behind one would. */
  endStreams(): void {
    for (const { stream, waiting } of this.#clients.values()) {
      stream?.end();
      for (const [id, response] of waiting) {
        if (typeof id === 'string') response.end();
      }
    }
  }

  forgetSessions(): void {
    this.#clients.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    const { redirect, token, challenge = 'Bearer' } = this.faults;
    if (redirect !== undefined) {
      response.writeHead(redirect.status, { location: redirect.to }).end();
    } else if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401, { 'www-authenticate': challenge }).end();
    } else if (request.url?.startsWith('/sse')) {
      await this.#takeSse(request, response);
    } else if (request.url === '/page') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
    } else if (request.url === '/moved') {
      response.writeHead(308, { location: '/mcp' }).end();
    } else if (request.url?.startsWith('/mcp')) {
      await this.#takeStreamable(request, response);
    } else {
      response.writeHead(404).end();
    }
  }

  async #takeStreamable(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await readMessage(request) : {};
    if (this.faults.forgetful && body.method === 'tools/call') this.forgetSessions();
    const isModern = this.#script.protocolVersion === '2026-07-28';
    const client = isModern ? this.#client('modern') : this.#clientOf(request, response, body);
    if (client === undefined) {
      const { sessionRefusal = 404 } = this.faults;
      const error = { code: -32000, message: 'Bad Request: No valid session ID provided' };
      response.writeHead(sessionRefusal).end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
    } else if (request.method === 'GET' && this.faults.noStream) {
      response.writeHead(405).end();
    } else if (request.method === 'GET') {
      client.stream = openStream(response);
    } else if (request.method === 'DELETE') {
      response.writeHead(200).end();
    } else if (body.method === undefined || body.id === undefined) {
      response.writeHead(202).end();
      await client.session.take(body);
    } else {
      await this.#answer(client, body, body.id, response);
    }
  }

  async #answer(client: Client, body: Message, id: string | number, response: ServerResponse) {
    const { cut, json } = this.faults;
    const isCall = body.method === 'tools/call';
    if (isCall && cut === 'before-head') {
      response.socket?.destroy();
      return;
    }
    client.waiting.set(id, response);
    response.once('close', () => {
      if (!client.waiting.delete(id) || !this.#server?.listening) return;
      // In the newer era the end of the request's stream is the cancel.
      if (this.#script.protocolVersion === '2026-07-28') {
        void client.session.take({ method: 'notifications/cancelled', params: { requestId: id } });
      }
    });
    if (!json || body.method === 'subscriptions/listen') openStream(response);
    if (isCall && cut === 'in-body') {
      response.write('data: {"jsonrpc":', () => response.socket?.destroy());
      return;
    }
    await client.session.take(body);
  }

  /** The client of a request by its session; a handshake makes a new one. */
  #clientOf(request: IncomingMessage, response: ServerResponse, body: Message): Client | undefined {
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') return this.#clients.get(id);
    if (body.method !== 'initialize') return undefined;
    const made = randomUUID();
    response.setHeader('mcp-session-id', made);
    return this.#client(made);
  }

  #client(id: string): Client {
    const known = this.#clients.get(id);
    if (known !== undefined) return known;
    const client: Client = {
      session: new ScriptedSession(this.#script, (line) => this.#write(client, line)),
      waiting: new Map(),
    };
    this.#clients.set(id, client);
    return client;
  }

  /** Sends a line of the session where HTTP wants it: answers to their request, the rest to an open stream. */
  #write(client: Client, line: string): void {
    const { id, method } = JSON.parse(line) as Message;
    const asked = method === undefined && id !== undefined ? client.waiting.get(id) : undefined;
    if (asked === undefined) {
      const open = [...client.waiting.values()].findLast((response) => response.headersSent);
      (open ?? client.stream)?.write(`data: ${line}\n`);
    } else if (asked.headersSent) {
      asked.end(`data: ${line}\n`);
    } else {
      asked.writeHead(200, { 'content-type': 'application/json' }).end(line);
    }
    if (id !== undefined) client.waiting.delete(id);
  }

  async #takeSse(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = new URL(request.url ?? '', this.url).searchParams.get('session') ?? randomUUID();
    const client = this.#client(id);
    if (request.method === 'GET') {
      client.stream = openStream(response);
      response.write(`event: endpoint\ndata: /sse?session=${id}\n\n`);
    } else {
      response.writeHead(202).end();
      await client.session.take(await readMessage(request));
    }
  }
}

function openStream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  return response;
}

async function readMessage(request: IncomingMessage): Promise<Message> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return JSON.parse(text) as Message;
}
