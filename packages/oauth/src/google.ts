import { readFile } from 'node:fs/promises';
import { isRecord } from '@errand/wire';
import { isLoopbackName } from '@errand/wire/node';
import { LoginError } from './login-error.ts';
import type { OAuthClient, Tokens } from './tokens.ts';

/** Google's addresses. */
export const google = {
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  gmailUrl: 'https://gmail.googleapis.com',
} as const;

/** The rights that mail needs: read, send, and change labels. */
export const gmailScopes = [
  'https://www.googleapis.com/auth/gmail.readonly',
  'https://www.googleapis.com/auth/gmail.send',
  'https://www.googleapis.com/auth/gmail.modify',
] as const;

/** The rights that a login lacks: people can leave out some of them on Google's page. */
export function missingScopes(granted: readonly string[] | undefined): readonly string[] {
  if (granted === undefined || granted.includes('https://mail.google.com/')) return [];
  return gmailScopes.filter((scope) => !granted.includes(scope));
}

/** Where tokens are refreshed: where their file says if that is an address of Google, or, for tests, of this computer. */
export function tokenAddress(tokens: Pick<Tokens, 'tokenUrl'> | undefined): string {
  const { tokenUrl = google.tokenUrl } = tokens ?? {};
  return isTrusted(tokenUrl) ? tokenUrl : google.tokenUrl;
}

/** An address of Google, or, for tests, of this computer; anything else is refused. */
export function googleAddress(name: string, address: string): string {
  if (isTrusted(address)) return address;
  const shown = address.slice(0, 200);
  const message = `${name} is ${shown}, which is neither an address of Google nor of this computer. Nothing was sent there.`;
  throw new LoginError('client_file', message);
}

function isTrusted(address: string): boolean {
  const url = URL.parse(address);
  const isGoogle = url?.protocol === 'https:' && /(^|\.)google(apis)?\.com$/.test(url.hostname);
  return isGoogle || (url?.protocol === 'http:' && isLoopbackName(url.hostname));
}

/** A client that is registered with Google, and where it logs in. */
export interface GoogleClient {
  readonly client: OAuthClient;
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
}

/** Reads the file that Google's console gives for a client of the type "Desktop app". */
export async function readGoogleClient(path: string): Promise<GoogleClient> {
  const wrong = (why: string, cause?: unknown) =>
    new LoginError(
      'client_file',
      `The client file ${path} ${why}. Download the JSON file of a client of the type "Desktop app" from Google's console.`,
      { cause },
    );
  let file: unknown;
  try {
    file = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw wrong(code === undefined ? 'is not JSON' : `cannot be read (${code})`, cause);
  }
  const fields = isRecord(file) ? file : {};
  if (isRecord(fields.web)) throw wrong('is for a client of the type "Web application"');
  if (fields.type === 'service_account') throw wrong('is for a service account');
  const {
    client_id: id,
    client_secret: secret,
    auth_uri,
    token_uri,
  } = isRecord(fields.installed) ? fields.installed : fields;
  if (typeof id !== 'string' || id === '') throw wrong('has no "client_id"');
  const addressOf = (name: string, given: unknown, usual: string) =>
    typeof given === 'string' ? googleAddress(`"${name}" in ${path}`, given) : usual;
  return {
    client: { id, secret: typeof secret === 'string' ? secret : undefined },
    authorizeUrl: addressOf('auth_uri', auth_uri, google.authorizeUrl),
    tokenUrl: addressOf('token_uri', token_uri, google.tokenUrl),
  };
}
