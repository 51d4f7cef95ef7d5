import { LoginError, type TokenStore, type Tokens } from '@errand/oauth';
import { raceSignal } from '@errand/wire';
import { McpError } from '../mcp-error.ts';
import { type Clock, systemClock } from './clock.ts';

interface AccessTokenOptions {
  readonly store: TokenStore;
  /** Gets new tokens from the authorization server; fails with `auth_required` when the login has ended. */
  refresh(tokens: Tokens): Promise<Tokens>;
  readonly clock?: Pick<Clock, 'now' | 'monotonic'>;
  /** The sentence that says how to log in, for errors. */
  readonly howToLogIn?: string;
}

/** What is known about a login without asking anybody. */
export interface TokenStatus {
  /** `ended`: the authorization server refused to refresh it. */
  readonly state: 'logged-in' | 'logged-out' | 'ended' | 'unreadable';
  readonly account?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly expiresAt?: number | undefined;
  /** Why the last refresh failed. */
  readonly problem?: string | undefined;
}

/** The access token of one login, refreshed when needed: once for all that wait for it. */
export interface AccessTokens {
  /** A token that has not expired; fails with `auth_required` when somebody has to log in. */
  get(signal?: AbortSignal): Promise<string>;
  /** Says that the service did not accept a token; the next `get` refreshes it, unless it was refreshed this moment. */
  reject(token: string): void;
  status(): Promise<TokenStatus>;
}

/** A token is refreshed so long before it expires that a request with it still arrives in time. */
const earlyMs = 60_000;

/** A service that refuses a token younger than this refuses the login itself: another token would not help. */
const newMs = 30_000;

/** Creates the access tokens of the login in a store. */
export function createAccessTokens(options: AccessTokenOptions): AccessTokens {
  const { store, clock = systemClock } = options;
  let rejected: string | undefined;
  let refreshing: Promise<string> | undefined;
  /** The refresh token that the server refused: it is not tried again. */
  let ended: string | undefined;
  let problem: string | undefined;
  let renewed: { readonly token: string; readonly at: number } | undefined;
  /** Tokens that were given but could not be written. */
  let unsaved: Tokens | undefined;

  const isFresh = ({ accessToken, expiresAt = Number.POSITIVE_INFINITY }: Tokens, early: number) =>
    accessToken !== '' && accessToken !== rejected && clock.now() < expiresAt - early;

  const renew = async (current: Tokens | undefined): Promise<Tokens> => {
    if (unsaved !== undefined) return unsaved;
    // Another process, or a new login, was first.
    if (current !== undefined && isFresh(current, earlyMs)) return current;
    if (current?.refreshToken === undefined || current.refreshToken === ended) {
      throw new LoginError('auth_required');
    }
    try {
      const { refreshToken = current.refreshToken, ...given } = await options.refresh(current);
      unsaved = { ...current, ...given, refreshToken };
      renewed = { token: given.accessToken, at: clock.monotonic() };
      return unsaved;
    } catch (error) {
      if (error instanceof LoginError && error.code === 'auth_required')
        ended = current.refreshToken;
      throw error;
    }
  };

  const refresh = async (): Promise<string> => {
    try {
      const { accessToken } = await (store.update?.(renew) ?? readAndSave(store, renew));
      unsaved = undefined;
      problem = undefined;
      return accessToken;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
      throw error;
    }
  };

  const current = async (): Promise<string> => {
    const tokens = await store.read();
    if (tokens !== undefined && unsaved === undefined && isFresh(tokens, earlyMs)) {
      return tokens.accessToken;
    }
    refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    });
    try {
      return await refreshing;
    } catch (error) {
      const mayWait = error instanceof LoginError && error.code === 'unavailable';
      if (mayWait && tokens !== undefined && isFresh(tokens, 0)) return tokens.accessToken;
      throw explain(error, options.howToLogIn);
    }
  };

  return {
    get: (signal) => (signal === undefined ? current() : raceSignal(current(), signal)),
    reject(token) {
      const isNew = renewed?.token === token && clock.monotonic() - renewed.at < newMs;
      if (!isNew) rejected = token;
    },
    async status() {
      try {
        const tokens = await store.read();
        if (tokens === undefined) return { state: 'logged-out', problem };
        const { account, scopes, expiresAt, refreshToken } = tokens;
        const isOver = refreshToken === undefined ? !isFresh(tokens, 0) : refreshToken === ended;
        return { state: isOver ? 'ended' : 'logged-in', account, scopes, expiresAt, problem };
      } catch (error) {
        return {
          state: 'unreadable',
          problem: error instanceof Error ? error.message : String(error),
        };
      }
    },
  };
}

async function readAndSave(
  store: TokenStore,
  renew: (current: Tokens | undefined) => Promise<Tokens>,
): Promise<Tokens> {
  const tokens = await renew(await store.read());
  await store.save(tokens);
  return tokens;
}

function explain(error: unknown, howToLogIn = 'Log in again.'): unknown {
  if (!(error instanceof LoginError)) return error;
  const { message } = error;
  if (error.code === 'unavailable') {
    return new McpError(
      'mcp_unavailable',
      `The login could not be refreshed: ${message}`,
      undefined,
      {
        cause: error,
      },
    );
  }
  return new McpError(
    'auth_required',
    `${message} ${howToLogIn}`,
    { reason: error.code },
    { cause: error },
  );
}
