import { join, resolve } from 'node:path';
import { HostError, oneLine, userFolders } from '@errand/host';
import { currentPlatform } from '@errand/machine/node';
import type { GoogleClient, TokenStore, Tokens } from '@errand/oauth';
import type { Terminal } from './terminal.ts';

type Surroundings = Pick<Terminal, 'env' | 'cwd'>;

/** The file that the login to Gmail is kept in, which `errand-gmail` reads. */
export function tokenFileOf({ env, cwd }: Surroundings): string {
  return env.GMAIL_TOKEN_PATH
    ? resolve(cwd, env.GMAIL_TOKEN_PATH)
    : join(userFolders(currentPlatform()).state, 'mail', 'gmail.json');
}

/** Where Gmail is; tests put it on this computer. */
export async function gmailAddress({ env }: Surroundings): Promise<string> {
  const { google, googleAddress } = await import('@errand/oauth');
  return googleAddress('GMAIL_API_URL', env.GMAIL_API_URL || google.gmailUrl);
}

/** The client of the named file; else the one that logged in the last time. */
export async function clientFor(
  named: string | undefined,
  { env, cwd }: Surroundings,
  store: TokenStore,
): Promise<GoogleClient> {
  const { google, LoginError, readGoogleClient, tokenAddress } = await import('@errand/oauth');
  const path = named ?? env.GMAIL_CREDENTIALS_PATH;
  if (path) return readGoogleClient(resolve(cwd, path));
  const known = await store.read().catch((error) => {
    if (error instanceof LoginError) return undefined;
    throw error;
  });
  if (known?.client !== undefined) {
    const { client } = known;
    return { client, authorizeUrl: google.authorizeUrl, tokenUrl: tokenAddress(known) };
  }
  throw new HostError(
    'settings_invalid',
    "A login needs a client of your own. Make one in Google's console, as docs/gmail.md explains, and name its file: errand mail login --client FILE, or set GMAIL_CREDENTIALS_PATH.",
  );
}

/** Whose mailbox it is. Also the first use of Gmail, so that what is wrong with the client shows at once. */
export async function askAccount(
  token: string,
  gmailUrl: string,
  signal: AbortSignal,
): Promise<{ readonly account?: string | undefined; readonly problem?: string }> {
  try {
    const answer = await fetch(new URL('/gmail/v1/users/me/profile', gmailUrl), {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(20_000)]),
    });
    const body = (await answer.json()) as { emailAddress?: string; error?: { message?: string } };
    if (answer.ok) return { account: body.emailAddress };
    const said = oneLine(body.error?.message ?? `HTTP ${answer.status}`, 500);
    return { problem: `You are logged in, but Gmail refuses: ${said}` };
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `You are logged in, but Gmail did not answer (${oneLine(reason, 200)}).` };
  }
}

export type LoginState = 'logged-in' | 'logged-out' | 'ended';

interface Known {
  readonly tokens?: Tokens | undefined;
  readonly state: LoginState;
}

/** What the stored tokens say of the login, without asking anybody. */
export function stateOf(tokens: Tokens | undefined): Known {
  if (tokens === undefined) return { state: 'logged-out' };
  const { refreshToken, expiresAt = Number.POSITIVE_INFINITY } = tokens;
  const isOver = refreshToken === undefined && expiresAt < Date.now();
  return { tokens, state: isOver ? 'ended' : 'logged-in' };
}

/** Refreshes the login as the server would, and keeps what comes. */
export async function checkLogin(
  read: Tokens | undefined,
  store: Required<TokenStore>,
  signal: AbortSignal,
): Promise<Known> {
  const { LoginError, refreshTokens, tokenAddress } = await import('@errand/oauth');
  if (read?.refreshToken === undefined) return stateOf(read);
  try {
    const tokens = await store.update(async (current) => {
      if (current === undefined) throw new LoginError('auth_required');
      const { client = { id: '' } } = current;
      return refreshTokens(current, { tokenUrl: tokenAddress(current), client, signal });
    });
    return { tokens, state: 'logged-in' };
  } catch (error) {
    const isOver = error instanceof LoginError && error.code === 'auth_required';
    if (isOver) return { tokens: read, state: 'ended' };
    throw error;
  }
}
