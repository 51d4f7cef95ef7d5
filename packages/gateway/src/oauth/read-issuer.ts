import { Readable } from 'node:stream';
import { isRecord } from '@errand/wire';
import { isLoopbackName, readBody } from '@errand/wire/node';
import type { JSONWebKeySet, JWK } from 'jose';
import { IssuerError } from './issuer-error.ts';

/** Documents of authorization servers are small. */
const limit = 512 * 1024;
const requestMs = 5_000;

/** Finds the metadata of an authorization server (RFC 8414, or OpenID Connect), and reads the keys that it signs with. */
export async function readIssuer(
  issuer: string,
  ask: typeof fetch = fetch,
): Promise<JSONWebKeySet> {
  const metadata = await findMetadata(issuer, ask);
  if (metadata.issuer !== issuer) {
    const named = typeof metadata.issuer === 'string' ? metadata.issuer.slice(0, 200) : 'nothing';
    const message = `The metadata of ${issuer} names "${named}" as its issuer. Both have to be the same, to the letter.`;
    throw new IssuerError('other_issuer', message);
  }
  const { jwks_uri: address } = metadata;
  const url = typeof address === 'string' ? URL.parse(address) : null;
  if (url === null) {
    throw new IssuerError('no_keys', `The metadata of ${issuer} names no "jwks_uri".`);
  }
  if (!isSafeAddress(url) || (isHttps(issuer) && url.protocol !== 'https:')) {
    const message = `The metadata of ${issuer} names ${url.origin} for its keys, which is not https.`;
    throw new IssuerError('unsafe_address', message);
  }
  const { status, value } = await getJson(url, ask);
  const keys = isRecord(value) && Array.isArray(value.keys) ? value.keys.filter(isUsable) : [];
  if (status !== 200 || keys.length === 0) {
    const message = `At ${url.href} there are no keys for signatures (HTTP ${status}).`;
    throw new IssuerError(status >= 500 ? 'unreachable' : 'no_keys', message);
  }
  return { keys };
}

/** Whether nobody on the way can change what is read there. */
function isSafeAddress({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname));
}

function isHttps(address: string): boolean {
  return address.startsWith('https:');
}

/** A secret that both sides know is no key for this: whoever reads it could sign. */
function isUsable(key: unknown): key is JWK {
  return isRecord(key) && ['RSA', 'EC', 'OKP'].includes(String(key.kty)) && key.use !== 'enc';
}

async function findMetadata(
  issuer: string,
  ask: typeof fetch,
): Promise<Readonly<Record<string, unknown>>> {
  const statuses: string[] = [];
  for (const url of metadataAddresses(new URL(issuer))) {
    const { status, value } = await getJson(url, ask);
    if (status === 200 && isRecord(value)) return value;
    if (status >= 500) {
      throw new IssuerError('unreachable', `${url.href} answers HTTP ${status}.`);
    }
    statuses.push(`${url.href} (HTTP ${status})`);
  }
  const message = `${issuer} has no metadata of an authorization server: ${statuses.join(', ')}.`;
  throw new IssuerError('no_metadata', message);
}

/** In the order that MCP asks of clients. */
function metadataAddresses({ origin, pathname }: URL): readonly URL[] {
  const path = pathname.replace(/\/$/, '');
  const known = `${origin}/.well-known`;
  return [
    new URL(`${known}/oauth-authorization-server${path}`),
    new URL(`${known}/openid-configuration${path}`),
    ...(path === '' ? [] : [new URL(`${origin}${path}/.well-known/openid-configuration`)]),
  ];
}

async function getJson(url: URL, ask: typeof fetch) {
  try {
    const response = await ask(url, {
      headers: { accept: 'application/json' },
      // It would lead where nobody has agreed to.
      redirect: 'manual',
      signal: AbortSignal.timeout(requestMs),
    });
    const { status, body } = response;
    if (body === null) return { status, value: undefined };
    const read = await readBody(Readable.fromWeb(body as never), limit);
    if (read.kind === 'aborted') throw read.error;
    if (read.kind === 'too-large') {
      await body.cancel().catch(() => undefined);
      throw new Error(`it answers with more than ${limit} bytes`);
    }
    return { status, value: parse(read.bytes.toString()) };
  } catch (cause) {
    throw new IssuerError('unreachable', `${url.href} does not answer: ${reasonOf(cause)}.`, {
      cause,
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
