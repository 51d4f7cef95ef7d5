import { randomBytes } from 'node:crypto';
import { HostError, type SecretStore, type ServerConfig, webAddress } from '@errand/host';
import { LoginError, type LoginPrompt, RedirectListener } from '@errand/oauth';
import { auth, computeScopeUnion, OAuthError } from '@modelcontextprotocol/client';
import { askForChallenge } from './challenge.ts';
import { refuseLoginAddress } from './login-address.ts';
import { type LoginClient, LoginProvider } from './login-provider.ts';
import { issuerOf, LoginStore, registeredAddresses } from './login-store.ts';
import { nodeFetch } from './node-fetch.ts';
import { serverUrl } from './server-url.ts';

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
    const { code, ...issuer } = await listener.comeBack(prompt, signal);
    await auth(provider, { ...options, authorizationCode: code, ...issuer });
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

/** The port of an earlier registration, which holds only for its own address. */
async function registeredPort(store: LoginStore): Promise<number> {
  const issuer = issuerOf(await store.facts());
  const client = issuer === undefined ? undefined : await store.client(issuer);
  const address = registeredAddresses(client)?.[0];
  return address === undefined ? 0 : Number(new URL(address).port);
}

function loginFailed(server: string, cause: unknown): HostError {
  return new HostError(
    'login_required',
    `The login to server "${server}" did not work${reasonOf(cause)}`,
    { server },
    { cause, advice: [{ kind: 'log-in', server }] },
  );
}

function reasonOf(cause: unknown): string {
  if (cause instanceof LoginError) return `. ${cause.message}`;
  return cause instanceof OAuthError
    ? `: ${cause.code}: ${cause.message}.`
    : `: ${messageOf(cause)}.`;
}

function cancelled(server: string): HostError {
  return new HostError('cancelled', `The login to server "${server}" was cancelled.`, { server });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
