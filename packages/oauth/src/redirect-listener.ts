import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { raceSignal } from '@errand/wire';
import { closeServer, listen, tokenCheck, urlAt } from '@errand/wire/node';
import { LoginError } from './login-error.ts';

/** Brings a person to a login page and back. */
export interface LoginPrompt {
  /** Shows an address of the web: in a browser, once the person agreed to its host, or in print. */
  show(address: string): Promise<void>;
  /** Resolves with the address the person ended up at, when they paste it because no browser came back. */
  pasted?(signal: AbortSignal): Promise<string>;
}

/** What a login page sends back. */
interface Callback {
  readonly code: string;
  /** The authorization server that it comes from, if it says so. */
  readonly iss?: string;
}

const path = '/callback';

/** Listens on this computer for the browser that comes back from a login. */
export class RedirectListener implements AsyncDisposable {
  readonly #server: Server;
  readonly #state: string;
  readonly #arrived = Promise.withResolvers<URLSearchParams>();

  private constructor(server: Server, state: string) {
    this.#server = server;
    this.#state = state;
    const isState = tokenCheck(state);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const params = this.#callbackOf(request, isState);
      const text =
        params === undefined ? pages.stranger : pages[params.has('code') ? 'done' : 'refused'];
      response.writeHead(params === undefined ? 400 : 200, pageHeaders);
      response.end(pageOf(text), () => {
        if (params !== undefined) this.#arrived.resolve(params);
      });
    });
  }

  /** Listens on the wanted port, or on another when that is taken. */
  static async start(state: string, wantedPort = 0): Promise<RedirectListener> {
    const server = createServer({ headersTimeout: 5000, requestTimeout: 5000 });
    server.maxConnections = 32;
    const listenOn = (port: number) => listen(server, { port, host: '127.0.0.1' }, () => {});
    await listenOn(wantedPort).catch(() => listenOn(0));
    return new RedirectListener(server, state);
  }

  get url(): string {
    return urlAt(this.#server.address() as AddressInfo, path);
  }

  /** Waits for the browser, or for the address that the person pastes, whichever comes first. */
  async comeBack(prompt: LoginPrompt, signal: AbortSignal): Promise<Callback> {
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    let pasted: Promise<URLSearchParams> | undefined;
    try {
      signal.throwIfAborted();
      pasted = prompt.pasted?.(either).then((address) => readPasted(address, this.#state));
      const back = Promise.race([this.#arrived.promise, ...(pasted ? [pasted] : [])]);
      return readCallback(await raceSignal(back, signal));
    } catch (error) {
      if (!signal.aborted) throw error;
      const isLate = signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
      throw new LoginError(isLate ? 'timed_out' : 'cancelled', undefined, { cause: error });
    } finally {
      over.abort();
      pasted?.catch(() => undefined);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await closeServer(this.#server);
  }

  /** What the browser brings; nothing for other requests, since any page on any site can send a browser here. */
  #callbackOf(
    { method, url: target = '/', headers }: IncomingMessage,
    isState: (presented: string) => boolean,
  ): URLSearchParams | undefined {
    // Not every text that HTTP takes for a path is one of an address.
    const url = URL.parse(target, this.url);
    // A name that a stranger lets point to this computer is none of ours.
    const isHere = headers.host === new URL(this.url).host;
    const isCallback = method === 'GET' && isHere && url?.pathname === path;
    return isCallback && isState(url.searchParams.get('state') ?? '')
      ? url.searchParams
      : undefined;
  }
}

function readPasted(address: string, state: string): URLSearchParams {
  const text = address.trim();
  const params = URL.canParse(text) ? new URL(text).searchParams : new URLSearchParams(text);
  if (params.get('state') !== state) throw new LoginError('wrong_address');
  return params;
}

function readCallback(params: URLSearchParams): Callback {
  const code = params.get('code');
  if (code === null || params.has('error')) {
    const said =
      params.get('error_description') ?? params.get('error') ?? 'nothing that can be used';
    throw new LoginError('refused', `The login page answered: ${said.slice(0, 300)}.`);
  }
  const iss = params.get('iss');
  return { code, ...(iss !== null && { iss }) };
}

const pages = {
  done: 'Errand has what it needs. You can close this window.',
  refused: 'The login was not completed. You can close this window; Errand says what to do.',
  stranger: 'This is not the login that Errand is waiting for.',
} as const;

/** The address of the page holds the code: it is neither stored nor told to any other site. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

function pageOf(text: string): string {
  return `<!doctype html><meta charset="utf-8"><title>Errand</title>
<body style="font:1.2em system-ui;margin:4em"><p>${text}`;
}
