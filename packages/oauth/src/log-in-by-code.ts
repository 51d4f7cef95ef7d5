import { createHash, randomBytes } from 'node:crypto';
import { type LoginPrompt, RedirectListener } from './redirect-listener.ts';
import { exchangeCode } from './token-requests.ts';
import type { OAuthClient, Tokens } from './tokens.ts';

interface CodeLogin {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly client: OAuthClient;
  readonly scopes: readonly string[];
  /** What else the login page is told. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly prompt: LoginPrompt;
  readonly signal: AbortSignal;
}

/** Logs a person in by the code flow with PKCE, over a redirect to this computer or a pasted address. */
export async function logInByCode(login: CodeLogin): Promise<Tokens> {
  const { authorizeUrl, tokenUrl, client, scopes, parameters = {}, prompt, signal } = login;
  const state = randomBytes(16).toString('base64url');
  const verifier = randomBytes(32).toString('base64url');
  await using listener = await RedirectListener.start(state);
  const redirectUrl = listener.url;
  const page = new URL(authorizeUrl);
  page.search = new URLSearchParams({
    ...parameters,
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUrl,
    scope: scopes.join(' '),
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  await prompt.show(page.href);
  const { code } = await listener.comeBack(prompt, signal);
  return exchangeCode({ code, verifier, redirectUrl }, { tokenUrl, client, signal });
}
