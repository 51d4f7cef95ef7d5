import { isRecord } from '@errand/wire';
import { LoginError } from './login-error.ts';
import type { OAuthClient, Tokens } from './tokens.ts';

interface TokenRequest {
  readonly tokenUrl: string;
  readonly client: OAuthClient;
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: typeof fetch;
  /** The time of day, in milliseconds. */
  readonly now?: () => number;
}

const requestMs = 20_000;
const maxLength = 64 * 1024;

/** Gets new tokens for a refresh token. What the answer leaves out, the refresh token above all, stays as it is. */
export async function refreshTokens(tokens: Tokens, request: TokenRequest): Promise<Tokens> {
  const { refreshToken } = tokens;
  if (refreshToken === undefined) throw new LoginError('auth_required');
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
  return { ...tokens, ...(await requestTokens(form, request)) };
}

/** Exchanges the code of a login for tokens. */
export async function exchangeCode(
  login: { readonly code: string; readonly verifier: string; readonly redirectUrl: string },
  request: TokenRequest,
): Promise<Tokens> {
  const { code, verifier, redirectUrl } = login;
  const form = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUrl,
  };
  const { client, tokenUrl } = request;
  return { ...(await requestTokens(form, request)), client, tokenUrl };
}

/** Tells the authorization server that a token is no longer used; false when it did not hear it. */
export async function revokeToken(
  token: string,
  {
    revokeUrl,
    signal,
    fetch: ask = fetch,
  }: { readonly revokeUrl: string } & Pick<TokenRequest, 'signal' | 'fetch'>,
): Promise<boolean> {
  try {
    const answer = await ask(revokeUrl, formRequest({ token }, signal));
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

async function requestTokens(
  form: Readonly<Record<string, string>>,
  { tokenUrl, client, signal, fetch: ask = fetch, now = Date.now }: TokenRequest,
): Promise<Tokens> {
  const { id, secret } = client;
  const whole = { ...form, client_id: id, ...(secret !== undefined && { client_secret: secret }) };
  const askedAt = now();
  let status: number;
  let answer: unknown;
  try {
    const response = await ask(tokenUrl, formRequest(whole, signal));
    status = response.status;
    answer = parse((await response.text()).slice(0, maxLength));
  } catch (cause) {
    if (signal?.aborted) throw new LoginError('cancelled', undefined, { cause });
    throw unavailable(tokenUrl, 'does not answer', cause);
  }
  const fields = isRecord(answer) ? answer : {};
  const { error, error_description: description } = fields;
  if (status >= 400 && status < 500 && typeof error === 'string') throw refused(error, description);
  const { access_token: accessToken } = fields;
  if (status !== 200 || typeof accessToken !== 'string') {
    throw unavailable(tokenUrl, `answers HTTP ${status} without tokens`);
  }
  return tokensOf(fields, accessToken, askedAt);
}

function tokensOf(
  { expires_in: expiresIn, refresh_token: refreshToken, scope }: Readonly<Record<string, unknown>>,
  accessToken: string,
  askedAt: number,
): Tokens {
  const seconds = Number(expiresIn);
  return {
    accessToken,
    ...(Number.isFinite(seconds) && { expiresAt: askedAt + seconds * 1000 }),
    ...(typeof refreshToken === 'string' && refreshToken !== '' && { refreshToken }),
    ...(typeof scope === 'string' && scope !== '' && { scopes: scope.split(' ') }),
  };
}

function formRequest(form: Readonly<Record<string, string>>, signal?: AbortSignal): RequestInit {
  const deadline = AbortSignal.timeout(requestMs);
  return {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(form),
    // Credentials go nowhere but to the address that is configured.
    redirect: 'error',
    signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
  };
}

/** The login is over only when the server says so of the grant; a wrong client is another mistake. */
function refused(error: string, description: unknown): LoginError {
  const said = typeof description === 'string' ? `${error}: ${description.slice(0, 300)}` : error;
  return error === 'invalid_grant'
    ? new LoginError('auth_required', `The login has ended (${said}).`)
    : new LoginError('refused', `The authorization server refused (${said}).`);
}

function unavailable(tokenUrl: string, what: string, cause?: unknown): LoginError {
  return new LoginError('unavailable', `${new URL(tokenUrl).origin} ${what}.`, { cause });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
