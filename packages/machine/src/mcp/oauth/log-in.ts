import { randomBytes } from 'node:crypto';
import type { SecretStore, ServerConfig } from '@errand/host';
import { HostError, webAddress } from '@errand/host';
import { raceSignal } from '@errand/wire';
import { auth, computeScopeUnion, OAuthError } from '@modelcontextprotocol/client';
import { askForChallenge } from './challenge.ts';
import { refuseLoginAddress } from './login-address.ts';
import { type LoginClient, LoginProvider } from './login-provider.ts';
import { issuerOf, LoginStore, registeredAddresses } from './login-store.ts';
import { nodeFetch } from './node-fetch.ts';
import { RedirectListener } from './redirect-listener.ts';
import { serverUrl } from './server-url.ts';

/** Brings a person to a login page and back. */
export interface LoginPrompt {
  /** Shows an address of the web: in a browser, once the person agreed to its host, or in print. */
  show(address: string): Promise<void>;
  /** Resolves with the address the person ended up at, when they paste it because no browser came back. */
  pasted?(signal: AbortSignal): Promise<string>;
}

export interface LoginOptions {
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
