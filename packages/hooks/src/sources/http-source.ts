import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { catchFaults } from '@errand/host';
import {
  bearerToken,
  closeServer,
  isPortTaken,
  listen,
  readBody,
  refuseBody,
  sendJson,
  tokenCheck,
} from '@errand/wire/node';
import { z } from 'zod';
import type { EventSource, RunningSource, SourcePorts } from '../hook-event.ts';
import { coalesce } from './coalesce.ts';
import { contentOf, hookIdOf, rejectionOf } from './hook-request.ts';
import type { SourcesPorts } from './sources-ports.ts';
import { openStateFile, type StateFile } from './state-file.ts';

const host = '127.0.0.1';
const mostBytes = 1024 * 1024;
const mostConnections = 32;
/** How many idempotency keys are remembered. */
const mostKeys = 1_000;

const schema = z.object({
  version: z.literal(1),
  /** The same after a restart, so that senders need not be changed. */
  port: z.number().optional(),
  /** By the id of the hook. */
  tokens: z.record(z.string(), z.string().min(32)),
});

type HttpState = z.infer<typeof schema>;
type HttpPorts = Pick<SourcesPorts, 'clock' | 'folder' | 'stateFolder' | 'chains'>;

/** Tells of every `POST /hooks/<id>` on loopback that carries the token of that hook. */
export function httpSource(ports: HttpPorts): EventSource {
  return {
    async start(sourcePorts) {
      const file = await openStateFile(ports, 'http.json', schema);
      const read = await file.read().catch(sourcePorts.onFault);
      const stored = read ?? { version: 1, tokens: {} };
      const listener = new HookListener(ports, sourcePorts, file, stored);
      await listener.refreshed();
      return listener;
    },
  };
}

/** Where a hook takes requests, and the token that they must carry; undefined before it first did. */
export async function httpEndpoint(
  ports: Pick<HttpPorts, 'folder' | 'stateFolder'>,
  hookId: string,
): Promise<{ readonly url: string; readonly token: string } | undefined> {
  const stored = await (await openStateFile(ports, 'http.json', schema)).read();
  const token = stored?.tokens[hookId];
  if (token === undefined || stored?.port === undefined) return undefined;
  return { url: `http://${host}:${stored.port}/hooks/${encodeURIComponent(hookId)}`, token };
}

class HookListener implements RunningSource {
  readonly refresh: () => void;
  readonly #ports: HttpPorts & SourcePorts;
  readonly #file: StateFile<HttpState>;
  readonly #following;
  /** The token checks of the wanted hooks, by id. */
  #checks: ReadonlyMap<string, (token: string) => boolean> = new Map();
  /** Compared for unknown hooks, so that the time of a refusal does not tell which hooks there are. */
  readonly #noToken = tokenCheck(newToken());
  readonly #keys = new Map<string, { readonly eventId: string; readonly hash: string }>();
  #state: HttpState;
  /** What the file holds, as JSON. */
  #written: string;
  #server: Server | undefined;
  #isClosed = false;

  constructor(ports: HttpPorts, source: SourcePorts, file: StateFile<HttpState>, state: HttpState) {
    this.#ports = { ...ports, ...source };
    this.#file = file;
    this.#state = state;
    this.#written = JSON.stringify(state);
    this.#following = coalesce(() => this.#follow(), source.onFault);
    this.refresh = () => this.refreshed();
  }

  async refreshed(): Promise<void> {
    this.#following.request();
    await this.#following.idle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.refreshed();
  }

  async #follow(): Promise<void> {
    const wanted = this.#isClosed ? [] : this.#ports.wanted();
    const ids = wanted.flatMap(({ hookId, trigger }) => (trigger.kind === 'http' ? [hookId] : []));
    const tokens = { ...this.#state.tokens };
    for (const id of ids) if (!Object.hasOwn(tokens, id)) tokens[id] = newToken();
    this.#checks = new Map(ids.map((id) => [id, tokenCheck(tokens[id] ?? '')]));
    this.#state = { ...this.#state, tokens };
    if (ids.length === 0) return this.#close();
    if (this.#server === undefined) {
      const { port } = await this.#listen(this.#state.port);
      this.#state = { ...this.#state, port };
    }
    const text = JSON.stringify(this.#state);
    if (text === this.#written) return;
    await this.#file.write(this.#state);
    this.#written = text;
  }

  async #listen(port = 0): Promise<AddressInfo> {
    const answer = (request: IncomingMessage, response: ServerResponse) =>
      catchFaults(
        () => this.#answer(request, response),
        (error) => {
          sendError(response, 500, 'The event was not taken. Send it again.');
          this.#ports.onFault(error);
        },
      )();
    const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, answer);
    server.maxConnections = mostConnections;
    try {
      const address = await listen(server, { port, host }, this.#ports.onFault);
      this.#server = server;
      return address;
    } catch (error) {
      if (port !== 0 && isPortTaken(error)) return this.#listen();
      throw error;
    }
  }

  async #close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server !== undefined) await closeServer(server, 250);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, method, url = '' } = request;
    const rejection = rejectionOf(request);
    if (rejection !== undefined) return sendError(response, 403, rejection);
    const hookId = hookIdOf(url);
    if (hookId === undefined) {
      return sendError(response, 404, 'There is nothing here. Send the request to /hooks/ID.');
    }
    const isToken = this.#checks.get(hookId) ?? this.#noToken;
    if (!isToken(bearerToken(headers.authorization))) {
      const message = 'This hook needs its token: send "Authorization: Bearer TOKEN".';
      return sendError(response, 401, message);
    }
    if (method !== 'POST') return sendError(response, 405, 'Send the event with POST.');
    const body = await readBody(request, mostBytes, headers['content-length']);
    if (body.kind === 'aborted') return;
    if (body.kind === 'too-large') {
      return refuseBody(request, response, errorText('Send at most 1 MiB.'));
    }
    const content = contentOf(body.bytes, headers['content-type']);
    if ('problem' in content) return sendError(response, 400, content.problem);
    await this.#take(request, response, hookId, body.bytes, content.value);
  }

  async #take(
    { headers, url = '' }: IncomingMessage,
    response: ServerResponse,
    hookId: string,
    bytes: Buffer,
    body: unknown,
  ): Promise<void> {
    const key = headers['idempotency-key'];
    const hash = hashOf(bytes);
    const known = key === undefined ? undefined : this.#keys.get(`${hookId} ${key}`);
    if (known !== undefined && known.hash !== hash) {
      sendError(response, 422, 'This Idempotency-Key came with another body before.');
      return;
    }
    const eventId = `http:${hookId}:${key === undefined ? randomUUID() : hashOf(String(key))}`;
    if (known === undefined) {
      const { clock, chains, emit } = this.#ports;
      const chain = chains.byId(String(headers['errand-hook-chain'] ?? ''));
      const http = {
        body,
        contentType: headers['content-type'] ?? '',
        query: Object.fromEntries(new URL(url, `http://${host}`).searchParams),
        // Senders name their event in such a header. Those with credentials are left out.
        headers: Object.fromEntries(
          Object.entries(headers).filter(([name]) =>
            /^x-(?!.*(?:auth|key|secret|token))/.test(name),
          ),
        ),
      };
      const event = {
        id: eventId,
        kind: 'http',
        at: clock.now(),
        hookId,
        fields: { http },
      } as const;
      // A sender that got an answer does not send again.
      await emit({ ...event, ...(chain && { chain }) });
      // Not before: one that could not be stored is sent again with the same key.
      if (key !== undefined) this.#remember(`${hookId} ${key}`, { eventId, hash });
    }
    sendJson(response, 202, JSON.stringify({ eventId }));
  }

  #remember(key: string, value: { readonly eventId: string; readonly hash: string }): void {
    this.#keys.set(key, value);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > mostKeys && oldest !== undefined) this.#keys.delete(oldest);
  }
}

function sendError(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, errorText(message));
}

function errorText(message: string): string {
  return JSON.stringify({ error: { message } });
}

function hashOf(value: string | Buffer): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 32);
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}
