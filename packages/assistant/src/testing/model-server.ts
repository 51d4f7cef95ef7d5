import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AssistantConfig } from '@errand/host';
import { anthropicWire } from './anthropic-wire.ts';
import { chatWire } from './chat-wire.ts';
import { googleWire } from './google-wire.ts';
import {
  afterFirstText,
  afterText,
  type ModelFailure,
  type ModelReply,
  type ModelStep,
  type WireFormat,
} from './model-reply.ts';
import { openaiWire } from './openai-wire.ts';

/** A request as it came in. */
interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
  readonly toolNames: readonly string[];
}

export type Script = ModelStep | ((request: ModelRequest) => ModelStep);

const wires: readonly WireFormat[] = [anthropicWire, openaiWire, chatWire, googleWire];

/**
 * A language model that says what it is told to, over HTTP on this machine, in the wire formats of
 * Anthropic, OpenAI, Google and all that speak chat completions.
 */
export class ModelServer implements AsyncDisposable {
  readonly requests: ModelRequest[] = [];
  readonly #server: Server;
  readonly #steps: Script[] = [];
  readonly #closed: (() => void)[] = [];
  #always: Script | undefined;
  #models: readonly string[] | ModelFailure | undefined;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async open(...steps: readonly Script[]): Promise<ModelServer> {
    const server = new ModelServer(createServer());
    server.#steps.push(...steps);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  /** What it does when all its steps are done. */
  always(step: Script): void {
    this.#always = step;
  }

  /** What it answers when it is asked for its models; until then there is no such list. */
  lists(models: readonly string[] | ModelFailure): void {
    this.#models = models;
  }

  next(...steps: readonly Script[]): void {
    this.#steps.push(...steps);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** A settings entry that reaches it in the format of a provider. */
  assistant(provider: AssistantConfig['provider'], change: Partial<AssistantConfig> = {}) {
    return {
      name: 'Claude',
      provider,
      model: 'scripted',
      baseUrl: this.url,
      key: `\${secret:key}`,
      ...change,
    } satisfies AssistantConfig;
  }

  /** Resolves when a client has hung up before the end of its answer. */
  hungUp(): Promise<void> {
    return new Promise((resolve) => this.#closed.push(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(incoming.url ?? '', 'http://model').pathname;
    const wire = wires.find(({ owns }) => owns(path));
    const text = Buffer.concat(await incoming.toArray()).toString();
    if (path.endsWith('/models') && this.#models !== undefined) {
      this.requests.push({ path, headers: incoming.headers, body: {}, toolNames: [] });
      list(this.#models, 'x-goog-api-key' in incoming.headers, response);
      return;
    }
    if (wire === undefined) {
      response.writeHead(404).end();
      return;
    }
    const body = JSON.parse(text) as ModelRequest['body'];
    const request = { path, headers: incoming.headers, body, toolNames: wire.toolNames(body) };
    this.requests.push(request);
    response.on('close', () => {
      if (response.writableEnded) return;
      for (const resolve of this.#closed.splice(0)) resolve();
    });
    const script = this.#steps.shift() ?? this.#always ?? outOfScript;
    const step = typeof script === 'function' ? script(request) : script;
    if ('status' in step) fail(step, wire, response);
    else await stream(step, wire, response, `r${this.requests.length}`);
  }
}

const outOfScript: ModelFailure = { status: 400, message: 'The script has no more steps.' };

function fail(failure: ModelFailure, wire: WireFormat, response: ServerResponse): void {
  response.writeHead(failure.status, { 'content-type': 'application/json', ...failure.headers });
  response.end(JSON.stringify(wire.failure(failure)));
}

function list(
  models: readonly string[] | ModelFailure,
  isGoogle: boolean,
  response: ServerResponse,
): void {
  if ('status' in models) {
    const { status, message, headers } = models;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  const entries = isGoogle
    ? { models: models.map((name) => ({ name: `models/${name}` })) }
    : { object: 'list', data: models.map((id) => ({ id, object: 'model' })) };
  response.end(JSON.stringify(entries));
}

async function stream(
  reply: ModelReply,
  wire: WireFormat,
  response: ServerResponse,
  id: string,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const piece of wire.stream(reply, id)) {
    if (piece === afterFirstText) {
      await reply.hold;
    } else if (piece === afterText) {
      if (reply.cut === 'lost') return void response.write(':\n\n', () => response.destroy());
      if (reply.cut === 'ended') break;
    } else {
      response.write(piece);
    }
  }
  response.end();
}
