import { createServiceClient, McpError, ServiceError } from '@errand/server-kit';
import type { Access } from './read-access.ts';

/** The credentials as requests carry them. */
export interface Credentials {
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** Hears that the service did not accept them. */
  rejected(): void;
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
        headers: async () => ({ authorization: `Bearer ${access.token()}` }),
        rejected() {},
        isRenewable: false,
        redact: (text) => without(text, [access.token()]),
      };
    case 'basic':
      return {
        headers: async () => ({ authorization: basic(access.user, access.secret()) }),
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
      held = { token: access_token, until: Date.now() + expires_in * 1000 - earlyMs };
      return access_token;
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
        await renewing;
      }
      return { authorization: `Bearer ${held?.token}` };
    },
    rejected() {
      held = undefined;
    },
    isRenewable: true,
    redact: (text) => without(text, [access.secret(), held?.token ?? '']),
  };
}

function without(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= 4)
    .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}
