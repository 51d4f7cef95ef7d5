import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import {
  bearerToken,
  hostnameOf,
  isAllowedOrigin,
  isLoopback,
  isLoopbackName,
  tokenCheck,
} from '@errand/wire/node';
import { StartError } from '../start-error.ts';

export interface AccessPolicy {
  /** The names besides those of this machine by which the server is reached; a page elsewhere cannot fake them. */
  readonly hostnames: readonly string[];
  /** The bearer token that every request must carry. */
  readonly token: string | undefined;
}

const shortestToken = 16;

/** The access policy of an address; other machines always need a token. */
export function readAccessPolicy(
  host: string,
  env: Readonly<Record<string, string | undefined>>,
): AccessPolicy {
  const token = env.MCP_AUTH_TOKEN?.trim() || undefined;
  if (token !== undefined && token.length < shortestToken) {
    const message = `MCP_AUTH_TOKEN is too short. Use at least ${shortestToken} characters.`;
    throw new StartError('invalid_setting', message);
  }
  if (token === undefined && host !== 'localhost' && !isLoopback(host)) {
    const message = `Listening on ${host} lets other machines in. Set MCP_AUTH_TOKEN to a secret that clients send as a bearer token, or leave --host at 127.0.0.1.`;
    throw new StartError('token_required', message);
  }
  const allowed = (env.MCP_ALLOWED_HOSTS ?? '').split(',').map((name) => name.trim().toLowerCase());
  const own = isIP(host) === 6 ? `[${host}]` : host.toLowerCase();
  return { token, hostnames: [own, ...allowed.filter((name) => name !== '')] };
}

interface AccessRefusal {
  readonly status: 401 | 403;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Why a request may not be served, or undefined. */
export function checkAccess(
  headers: IncomingHttpHeaders,
  { hostnames, token }: AccessPolicy,
): AccessRefusal | undefined {
  const isServed = (name: string) => isLoopbackName(name) || hostnames.includes(name);
  if (!isServed(hostnameOf(headers.host))) {
    const message = `Host "${headers.host ?? ''}" is not allowed. To serve another name, add it to MCP_ALLOWED_HOSTS.`;
    return { status: 403, message };
  }
  if (!isAllowedOrigin(headers.origin, isServed)) {
    return { status: 403, message: `Origin "${headers.origin}" is not allowed.` };
  }
  if (token === undefined || tokenCheck(token)(bearerToken(headers.authorization))) {
    return undefined;
  }
  return {
    status: 401,
    message: 'This server needs the header "Authorization: Bearer TOKEN" with its MCP_AUTH_TOKEN.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  };
}
