import { createServiceClient, McpError, ServiceError } from '@errand/server-kit';
import type { Access } from './read-access.ts';

/** The credentials as requests carry them. */
export interface Credentials {
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** Hears that the service did not accept these headers. */
  rejected(headers: Readonly<Record<string, string>>): void;
  /** Whether other headers may be accepted after these were not. */
  readonly isRenewable: boolean;
  /** Takes secrets out of a text that others wrote. */
  redact(text: string): string;
}

/** Where Cloud gives tokens to its consumers. */
const tokenAddress = 'https://bitbucket.org/site/oauth2/access_token';

/** A token is renewed so long before it ends that a request with it still arrives in time. */
const earlyMs = 60_000;

/** Creates the credentials for a kind of access. */
export function createCredentials(access: Access, oauthUrl = tokenAddress): Credentials {
  const basic = (user: string, secret: string) =>
    `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
  switch (access.kind) {
    case 'none':
      return {
        async headers() {
          throw new McpError('auth_required', access.problem);
        },
        rejected() {},
        isRenewable: false,
        redact: (text) => text,
      };
    case 'token':
      return {
        headers: async () => ({ authorization: `Bearer ${usable(access.token())}` }),
        rejected() {},
        isRenewable: false,
        redact: (text) => without(text, [access.token()]),
      };
    case 'basic':
      return {
        headers: async () => ({ authorization: basic(access.user, given(access.secret())) }),
        rejected() {},
        isRenewable: false,
        redact: (text) => without(text, [access.secret(), basic(access.user, access.secret())]),
      };
    case 'oauth':
      return oauthCredentials(access, oauthUrl, basic);
  }
}

function oauthCredentials(
  access: Extract<Access, { readonly kind: 'oauth' }>,
  oauthUrl: string,
  basic: (user: string, secret: string) => string,
): Credentials {
  let held: { readonly token: string; readonly until: number } | undefined;
  /** The last tokens, which answers may name also when they are no longer held. */
  let recent: readonly string[] = [];
  let renewing: Promise<string> | undefined;
  const { origin, pathname } = new URL(oauthUrl);
  const client = createServiceClient({
    baseUrl: origin,
    authorize: async () => ({ authorization: basic(access.clientId, access.secret()) }),
  });
  const renew = async (): Promise<string> => {
    try {
      const response = await client.request({
        method: 'POST',
        path: pathname,
        body: 'grant_type=client_credentials',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        repeatable: true,
      });
      const { access_token = '', expires_in = 7200 } = response.json() as {
        readonly access_token?: string;
        readonly expires_in?: number;
      };
      const token = usable(access_token);
      recent = [token, ...recent.slice(0, 4)];
      held = { token, until: Date.now() + expires_in * 1000 - earlyMs };
      return token;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.isTemporary) throw error;
      throw new McpError(
        'auth_required',
        `Bitbucket Cloud gave no token (HTTP ${error.status ?? 'error'}). Check BITBUCKET_CLIENT_ID and BITBUCKET_CLIENT_SECRET, and that the consumer is private.`,
        { reason: error.kind },
        { cause: error },
      );
    }
  };
  return {
    async headers() {
      if (held === undefined || Date.now() >= held.until) {
        renewing ??= renew().finally(() => {
          renewing = undefined;
        });
        return { authorization: `Bearer ${await renewing}` };
      }
      return { authorization: `Bearer ${held.token}` };
    },
    rejected({ authorization }) {
      // Another call may have got a new token since this one was sent.
      if (authorization === `Bearer ${held?.token}`) held = undefined;
    },
    isRenewable: true,
    redact: (text) => without(text, [access.secret(), ...recent]),
  };
}

/** A token as a header can carry it. */
function usable(token: string): string {
  if (/^[!-~]+$/.test(given(token))) return token;
  throw new McpError(
    'auth_required',
    'The token for Bitbucket has a space, a line break or another sign that no token has. Nothing was sent.',
  );
}

function given(secret: string): string {
  if (secret !== '') return secret;
  throw new McpError(
    'auth_required',
    'The token or password for Bitbucket is empty, or its file cannot be read. Nothing was sent.',
  );
}

function without(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= 4)
    .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}
