import type { SecretStore, ServerConfig } from '@errand/host';
import { HostError } from '@errand/host';
import {
  computeScopeUnion,
  OAuthError,
  refreshAuthorization,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { Authorizer, RefusedRequest } from '../http/authorizer.ts';
import { readChallenge } from './challenge.ts';
import { issuerOf, LoginStore } from './login-store.ts';
import { nodeFetch } from './node-fetch.ts';
import { serverUrl } from './server-url.ts';

const refreshMs = 20_000;

/** Makes the authorizers of remote servers; each is shared by all connections to its server. */
export function oauthAuthorizers(secrets: SecretStore): (server: ServerConfig) => Authorizer {
  const known = new Map<string, Authorizer>();
  return (server) => {
    const url = serverUrl(server);
    const authorizer =
      known.get(url) ?? new OAuthAuthorizer(server.name, url, new LoginStore(secrets, url));
    known.set(url, authorizer);
    return authorizer;
  };
}

/** Sends the tokens of the person's login, and refreshes them once for all calls that wait for it. */
class OAuthAuthorizer implements Authorizer {
  readonly #server: string;
  readonly #url: string;
  readonly #store: LoginStore;
  #tokens: StoredOAuthTokens | undefined;
  #renewing: Promise<void> | undefined;

  constructor(server: string, url: string, store: LoginStore) {
    this.#server = server;
    this.#url = url;
    this.#store = store;
  }

  async token(): Promise<string | undefined> {
    this.#tokens ??= await this.#store.tokens();
    return this.#tokens?.access_token;
  }

  renew(refused: RefusedRequest): Promise<void> {
    this.#renewing ??= this.#renew(refused).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew({ status, challenge, token }: RefusedRequest): Promise<void> {
    const stored = await this.#store.tokens();
    // Refreshed by an earlier call, or by another program, or the person has just logged in.
    if (stored !== undefined && stored.access_token !== token) {
      this.#tokens = stored;
      return;
    }
    this.#tokens = undefined;
    if (status === 403) {
      const wantedScope = computeScopeUnion(stored?.scope, readChallenge(challenge).scope);
      await this.#store.setFacts(wantedScope === undefined ? {} : { wantedScope });
      throw loginRequired(this.#server, 'wants more rights than it was given');
    }
    if (stored?.refresh_token === undefined) {
      throw loginRequired(this.#server, stored === undefined ? 'wants a login' : 'ended the login');
    }
    this.#tokens = await this.#refresh(stored, stored.refresh_token);
  }

  async #refresh(stored: StoredOAuthTokens, refreshToken: string): Promise<StoredOAuthTokens> {
    const facts = await this.#store.facts();
    const issuer = issuerOf(facts);
    const client = issuer === undefined ? undefined : await this.#store.client(issuer);
    if (facts.discovery === undefined || issuer === undefined || client === undefined) {
      throw loginRequired(this.#server, 'wants a login');
    }
    const { authorizationServerUrl, authorizationServerMetadata: metadata } = facts.discovery;
    try {
      const tokens = await refreshAuthorization(authorizationServerUrl, {
        clientInformation: client,
        refreshToken,
        ...(metadata && { metadata }),
        ...(facts.resource !== undefined && { resource: new URL(facts.resource) }),
        fetchFn: nodeFetch({ name: this.#server, url: this.#url }, AbortSignal.timeout(refreshMs)),
      });
      const refreshed = { ...stored, ...tokens, issuer };
      await this.#store.setTokens(issuer, refreshed);
      return refreshed;
    } catch (error) {
      if (error instanceof HostError) throw error;
      throw error instanceof OAuthError
        ? loginRequired(this.#server, 'ended the login', error)
        : noLoginServer(this.#server, authorizationServerUrl, error);
    }
  }
}

function loginRequired(server: string, what: string, cause?: unknown): HostError {
  return new HostError(
    'login_required',
    `Server "${server}" ${what}.`,
    { server, neverSent: true },
    { cause, advice: [{ kind: 'log-in', server }] },
  );
}

function noLoginServer(server: string, address: string, cause: unknown): HostError {
  return new HostError(
    'server_unavailable',
    `The login to server "${server}" cannot be renewed: ${new URL(address).origin} does not answer. Check the network and try again.`,
    { server, neverSent: true },
    { cause },
  );
}
