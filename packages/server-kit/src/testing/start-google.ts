import type { Tokens } from '@errand/oauth';
import { createEmulator } from 'emulate';

interface GoogleOptions {
  readonly email?: string;
  /** Mails and labels in the form of the emulator's seed. */
  readonly messages?: readonly Readonly<Record<string, unknown>>[];
  readonly labels?: readonly Readonly<Record<string, unknown>>[];
}

/** A double of Google's login and of Gmail, on loopback, that nobody of this project wrote. */
export interface Google extends AsyncDisposable {
  readonly url: string;
  readonly email: string;
  /** Logs the person in without a browser. */
  logIn(scopes?: readonly string[]): Promise<Tokens & { readonly refreshToken: string }>;
  /** Asks Gmail as the person, around all faults, to see what has really happened. */
  ask(method: string, path: string, json?: unknown): Promise<unknown>;
}

/** Starts the double with one person's mailbox. */
export async function startGoogle(options: GoogleOptions = {}): Promise<Google> {
  const { email = 'ada@example.org', messages = [], labels = [] } = options;
  const own = 'own-token-of-the-test';
  const google = await createEmulator({
    service: 'google',
    port: 0,
    seed: {
      tokens: { [own]: { login: email } },
      google: { users: [{ email, name: 'Ada Example' }], messages, labels },
    },
  });
  // Its own address has a name, which may mean IPv6 first.
  const url = google.url.replace('localhost', '127.0.0.1');
  return {
    url,
    email,
    async logIn(scopes = ['https://mail.google.com/']) {
      const redirect = 'http://127.0.0.1:9/callback';
      const form = { email, redirect_uri: redirect, scope: scopes.join(' '), client_id: 'client' };
      const page = await fetch(`${url}/o/oauth2/v2/auth/callback`, {
        method: 'POST',
        body: new URLSearchParams(form),
        redirect: 'manual',
      });
      const code = new URL(page.headers.get('location') ?? '').searchParams.get('code') ?? '';
      const asked = await fetch(`${url}/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirect,
        }),
      });
      const given = (await asked.json()) as { access_token: string; refresh_token: string };
      return {
        accessToken: given.access_token,
        refreshToken: given.refresh_token,
        expiresAt: Date.now() + 3_600_000,
        scopes,
        account: email,
        client: { id: 'client', secret: 'client-secret' },
      };
    },
    async ask(method, path, json) {
      const answer = await fetch(`${url}/gmail/v1/users/me/${path}`, {
        method,
        headers: { authorization: `Bearer ${own}`, 'content-type': 'application/json' },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: HTTP ${answer.status} ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
    [Symbol.asyncDispose]: () => google.close(),
  };
}
