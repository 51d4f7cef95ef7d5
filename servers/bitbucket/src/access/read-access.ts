import { readFileSync } from 'node:fs';
import type { Edition } from '../api/bitbucket-api.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How the server proves who it is to Bitbucket. */
export type Access =
  /** An HTTP access token of Data Center, or an access token of Cloud. */
  | { readonly kind: 'token'; readonly token: () => string }
  /** User and password of Data Center, or e-mail and API token of Cloud. */
  | { readonly kind: 'basic'; readonly user: string; readonly secret: () => string }
  /** A consumer of Cloud that gets a token for two hours. */
  | { readonly kind: 'oauth'; readonly clientId: string; readonly secret: () => string }
  /** Nothing usable was given; `problem` says what to do. */
  | { readonly kind: 'none'; readonly problem: string };

const appPassword =
  'App passwords of Bitbucket Cloud no longer work: Atlassian switched them off in June 2026. Make an API token at id.atlassian.com (Security, API tokens, with scopes for Bitbucket), and set BITBUCKET_EMAIL and BITBUCKET_TOKEN.';

/** Reads from the environment how to get in. Secrets come by variables or files, never by arguments. */
export function readAccess(edition: Edition, env: Environment): Access {
  const given = (name: string) => {
    const value = env[name]?.trim();
    return value === undefined || value === '' ? undefined : value;
  };
  const token = secretOf('BITBUCKET_TOKEN', given);
  const password = secretOf('BITBUCKET_PASSWORD', given);
  const user = given('BITBUCKET_USERNAME');
  return edition === 'cloud'
    ? cloudAccess({ given, token, password, user })
    : dataCenterAccess({ token, password, user });
}

interface Given {
  readonly token: (() => string) | undefined;
  readonly password: (() => string) | undefined;
  readonly user: string | undefined;
}

function cloudAccess({
  given,
  token,
  password,
  user,
}: Given & { readonly given: (name: string) => string | undefined }): Access {
  const email = given('BITBUCKET_EMAIL');
  const clientId = given('BITBUCKET_CLIENT_ID');
  const secret = secretOf('BITBUCKET_CLIENT_SECRET', given);
  const isAppPassword = token?.().startsWith('ATBB') || given('BITBUCKET_APP_PASSWORD');
  if (isAppPassword || (token === undefined && user && password)) return none(appPassword);
  if (token !== undefined) {
    if (email !== undefined) return { kind: 'basic', user: email, secret: token };
    if (token().startsWith('ATATT')) {
      return none(
        'BITBUCKET_TOKEN is an API token, which Bitbucket Cloud takes only together with the e-mail of its owner. Set BITBUCKET_EMAIL as well.',
      );
    }
    return { kind: 'token', token };
  }
  if (clientId !== undefined && secret !== undefined) return { kind: 'oauth', clientId, secret };
  return none(
    'There are no credentials for Bitbucket Cloud. Set BITBUCKET_EMAIL and BITBUCKET_TOKEN (an API token), BITBUCKET_TOKEN alone (an access token of a repository, project or workspace), or BITBUCKET_CLIENT_ID and BITBUCKET_CLIENT_SECRET (OAuth).',
  );
}

function dataCenterAccess({ token, password, user }: Given): Access {
  if (token !== undefined) {
    if (/^AT(ATT|CTT|BB)/.test(token())) {
      return none(
        'BITBUCKET_TOKEN is a token of Bitbucket Cloud, but BITBUCKET_URL is a Data Center. Make an HTTP access token there: your account, HTTP access tokens.',
      );
    }
    return { kind: 'token', token };
  }
  if (user !== undefined && password !== undefined) {
    return { kind: 'basic', user, secret: password };
  }
  return none(
    'There are no credentials for this Bitbucket. Make an HTTP access token (your account, or the settings of a project or repository), and set BITBUCKET_TOKEN; or set BITBUCKET_USERNAME and BITBUCKET_PASSWORD.',
  );
}

function none(problem: string): Access {
  return { kind: 'none', problem };
}

/** A secret from a variable, or from the file that `…_FILE` names; the file is read again each time. */
function secretOf(
  name: string,
  given: (name: string) => string | undefined,
): (() => string) | undefined {
  const value = given(name);
  if (value !== undefined) return () => value;
  const file = given(`${name}_FILE`);
  if (file === undefined) return undefined;
  return () => {
    try {
      return readFileSync(file, 'utf8').trim();
    } catch {
      return '';
    }
  };
}
