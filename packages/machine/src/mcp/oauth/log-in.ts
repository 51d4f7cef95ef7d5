import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HostError, type SecretStore, type ServerConfig, webAddress } from '@errand/host';
import { raceSignal } from '@errand/wire';
import { closeServer, listen, urlAt } from '@errand/wire/node';
import { auth, computeScopeUnion, OAuthError } from '@modelcontextprotocol/client';
import { askForChallenge } from './challenge.ts';
import { refuseLoginAddress } from './login-address.ts';
import { type LoginClient, LoginProvider } from './login-provider.ts';
import { issuerOf, LoginStore, registeredAddresses } from './login-store.ts';
import { nodeFetch } from './node-fetch.ts';
import { serverUrl } from './server-url.ts';

/** Brings a person to a login page and back. */
export interface LoginPrompt {
  /** Shows an address of the web: in a browser, once the person agreed to its host, or in print. */
  show(address: string): Promise<void>;
  /** Resolves with the address the person ended up at, when they paste it because no browser came back. */
  pasted?(signal: AbortSignal): Promise<string>;
}

interface LoginOptions {
  readonly secrets: SecretStore;
  readonly client: LoginClient;
  readonly prompt: LoginPrompt;
  readonly signal: AbortSignal;
}

/** Logs a person in to a remote server; the tokens go to the secret store. */
export async function logIn(
  server: ServerConfig,
  { secrets, client, prompt, signal }: LoginOptions,
): Promise<'logged-in' | 'not-needed'> {
  const url = serverUrl(server);
  const store = new LoginStore(secrets, url);
  const challenge = await askForChallenge(server, url, signal);
  if (challenge === undefined) return 'not-needed';
  const facts = await store.facts();
  const state = randomBytes(16).toString('base64url');
  await using listener = await RedirectListener.start(state, await registeredPort(store));
  const provider = new LoginProvider(store, client, listener.url, state);
  const scope = computeScopeUnion(facts.wantedScope, challenge.scope);
  let refusal: HostError | undefined;
  const options = {
    serverUrl: url,
    ...challenge,
    ...(scope !== undefined && { scope }),
    fetchFn: nodeFetch({ name: server.name, url }, signal, (error) => {
      refusal ??= error;
    }),
  };
  try {
    await auth(provider, options);
    if (refusal !== undefined) throw refusal;
    checkTokenEndpoint(server.name, url, provider);
    if (provider.authorizationUrl === undefined) throw new Error('there is no page to log in at');
    const page = webAddress(provider.authorizationUrl.href);
    if (page === undefined) {
      const { protocol, host } = provider.authorizationUrl;
      throw new Error(`it is at ${protocol}//${host}, and only https pages are opened`);
    }
    await prompt.show(page.href);
    const callback = await comeBack(listener, prompt, state, signal);
    await auth(provider, { ...options, ...readCallback(callback) });
    return 'logged-in';
  } catch (error) {
    if (signal.aborted) throw cancelled(server.name);
    throw refusal ?? (error instanceof HostError ? error : loginFailed(server.name, error));
  }
}

/** Before the person goes to the login page: afterwards it would be for nothing. */
function checkTokenEndpoint(server: string, url: string, provider: LoginProvider): void {
  const endpoint = provider.discoveryState()?.authorizationServerMetadata?.token_endpoint;
  if (endpoint === undefined) return;
  const refusal = refuseLoginAddress(server, new URL(endpoint), new URL(url));
  if (refusal !== undefined) throw refusal;
}

async function comeBack(
  listener: RedirectListener,
  prompt: LoginPrompt,
  state: string,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  signal.throwIfAborted();
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const pasted = prompt.pasted?.(either).then((address) => readPasted(address, state));
  try {
    const back = Promise.race([listener.callback, ...(pasted ? [pasted] : [])]);
    return await raceSignal(back, signal);
  } finally {
    over.abort();
    pasted?.catch(() => undefined);
  }
}

function readPasted(address: string, state: string): URLSearchParams {
  const text = address.trim();
  const params = URL.canParse(text) ? new URL(text).searchParams : new URLSearchParams(text);
  if (params.get('state') !== state) {
    throw new Error(
      'that is not the address of this login; paste the whole address from the browser',
    );
  }
  return params;
}

function readCallback(params: URLSearchParams): { authorizationCode: string; iss?: string } {
  const code = params.get('code');
  if (code === null) {
    throw new Error(params.get('error_description') ?? params.get('error') ?? 'no code came back');
  }
  const iss = params.get('iss');
  return { authorizationCode: code, ...(iss !== null && { iss }) };
}

/** The port of an earlier registration, which holds only for its own address. */
async function registeredPort(store: LoginStore): Promise<number> {
  const issuer = issuerOf(await store.facts());
  const client = issuer === undefined ? undefined : await store.client(issuer);
  const address = registeredAddresses(client)?.[0];
  return address === undefined ? 0 : Number(new URL(address).port);
}

function loginFailed(server: string, cause: unknown): HostError {
  const reason = cause instanceof OAuthError ? `${cause.code}: ${cause.message}` : messageOf(cause);
  return new HostError(
    'login_required',
    `The login to server "${server}" did not work: ${reason}.`,
    { server },
    { cause, advice: [{ kind: 'log-in', server }] },
  );
}

function cancelled(server: string): HostError {
  return new HostError('cancelled', `The login to server "${server}" was cancelled.`, { server });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const path = '/callback';

const page = `<!doctype html><meta charset="utf-8"><title>Errand</title>
<body style="font:1.2em system-ui;margin:4em"><p>Errand has what it needs. You can close this window.`;

/** Listens on this machine for the browser that comes back from a login. */
class RedirectListener implements AsyncDisposable {
  /** Resolves with what the browser brought. */
  readonly callback: Promise<URLSearchParams>;
  readonly #server: Server;

  private constructor(server: Server, state: string) {
    this.#server = server;
    this.callback = new Promise((resolve) => {
      server.on('request', (request: IncomingMessage, response) => {
        // Not every text that HTTP takes for a path is one of an address.
        const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
        // Any page on any site can send a browser here; only ours knows the state.
        const isOurs = url?.pathname === path && url.searchParams.get('state') === state;
        response.writeHead(isOurs ? 200 : 400, {
          'content-type': 'text/html; charset=utf-8',
          connection: 'close',
        });
        response.end(isOurs ? page : 'This is not the login that Errand is waiting for.', () => {
          if (isOurs) resolve(url.searchParams);
        });
      });
    });
  }

  /** Listens on the wanted port, or on another when that is taken. */
  static async start(state: string, wantedPort = 0): Promise<RedirectListener> {
    const server = createServer();
    const listenOn = (port: number) => listen(server, { port, host: '127.0.0.1' }, () => {});
    await listenOn(wantedPort).catch(() => listenOn(0));
    return new RedirectListener(server, state);
  }

  get url(): string {
    return urlAt(this.#server.address() as AddressInfo, path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await closeServer(this.#server);
  }
}
