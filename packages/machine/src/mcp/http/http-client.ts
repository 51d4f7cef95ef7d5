import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { HostError } from '@errand/host';
import { onAbort } from '@errand/wire';
import { discardBody } from './discard-body.ts';
import { unreachable } from './unreachable.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: IncomingMessage;
}

/**
 * An idle socket is closed before most servers close theirs (5 s): a request on a socket that the
 * other side has just closed fails without anybody knowing whether it arrived.
 */
const idleMs = 4000;

const agentOptions = { keepAlive: true, timeout: idleMs, scheduling: 'lifo' as const };

const maxRedirects = 5;

/** The request function and the keep-alive agent of one URL scheme. */
interface SchemeClient {
  readonly request: typeof request;
  readonly agent: Agent;
}

/** HTTP to one server over sockets that are kept open; the global fetch costs several times as much. */
export class HttpClient {
  readonly #server: string;
  #plain: SchemeClient | undefined;
  #tls: SchemeClient | undefined;

  constructor(server: string) {
    this.#server = server;
  }

  /** Sends a request and resolves with the head of its answer. Follows redirects within the origin only. */
  async ask(url: URL, wanted: HttpRequest): Promise<HttpResponse> {
    let target = url;
    for (let redirects = 0; ; redirects += 1) {
      const answer = await this.#askOnce(target, wanted);
      const next = redirectTarget(target, answer);
      if (next === undefined) return answer;
      discardBody(answer.body);
      // Only 307 and 308 promise that a POST stays a POST.
      const keepsMethod = wanted.method === 'GET' || answer.status >= 307;
      if (next.origin !== url.origin || !keepsMethod || redirects === maxRedirects) {
        throw redirected(this.#server, next);
      }
      target = next;
    }
  }

  /** Closes every socket; what runs on them fails. */
  close(): void {
    for (const client of [this.#plain, this.#tls]) client?.agent.destroy();
  }

  async #askOnce(url: URL, { method, headers, body, signal }: HttpRequest): Promise<HttpResponse> {
    const isTls = url.protocol === 'https:';
    const client = isTls ? await this.#httpsClient() : this.#httpClient();
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const options = { method, headers: { ...headers, ...lengthOf(body) }, agent: client.agent };
      const outgoing = client.request(url, options);
      // Not by the request's own signal: that destroys sockets which already serve somebody else.
      const listening = onAbort(signal, () => outgoing.destroy());
      outgoing.once('close', listening[Symbol.dispose]);
      let isConnected = false;
      outgoing.once('socket', (socket) => {
        isConnected = outgoing.reusedSocket;
        if (isConnected) return;
        socket.once(isTls ? 'secureConnect' : 'connect', () => {
          isConnected = true;
        });
      });
      outgoing.once('response', (incoming) => {
        // A reader of the body gets its errors; an unread body may break.
        incoming.on('error', () => undefined);
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: incoming });
      });
      // Without a listener such a request would never end.
      outgoing.once('upgrade', (_incoming, socket) => {
        socket.destroy();
        reject(notAsked(this.#server));
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        this.#dropIdleSockets();
        reject(
          signal.aborted ? signal.reason : unreachable(this.#server, url, error, !isConnected),
        );
      });
      outgoing.end(body);
    });
  }

  /** When one connection was cut, the idle ones often are too, unnoticed. */
  #dropIdleSockets(): void {
    for (const client of [this.#plain, this.#tls]) {
      for (const socket of Object.values(client?.agent.freeSockets ?? {}).flat()) socket?.destroy();
    }
  }

  #httpClient(): SchemeClient {
    this.#plain ??= { request, agent: new Agent(agentOptions) };
    return this.#plain;
  }

  /** Loaded on first use, since it takes megabytes of memory. */
  async #httpsClient(): Promise<SchemeClient> {
    const { Agent: TlsAgent, request: tlsRequest } = await import('node:https');
    this.#tls ??= { request: tlsRequest, agent: new TlsAgent(agentOptions) };
    return this.#tls;
  }
}

function lengthOf(body: string | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}

function redirectTarget(url: URL, { status, headers }: HttpResponse): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined)
    return undefined;
  return URL.canParse(headers.location, url.href) ? new URL(headers.location, url) : undefined;
}

/** A retry cannot fix it, so it must not look like a temporary failure. */
function redirected(server: string, target: URL): HostError {
  return new HostError(
    'settings_invalid',
    `Server "${server}" redirects to ${target.origin}${target.pathname}, which is not followed. If that is the right address, make it the "url" in the settings.`,
    { server, neverSent: true },
  );
}

function notAsked(server: string): HostError {
  return new HostError(
    'server_unavailable',
    `Server "${server}" switched to another protocol (HTTP 101) instead of answering. Check its "url" and "transport" in the settings.`,
    { server },
  );
}
