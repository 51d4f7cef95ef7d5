import type { IncomingHttpHeaders } from 'node:http';
import {
  bearerToken,
  hostnameOf,
  isAllowedOrigin,
  isLoopbackName,
  tokenCheck,
} from '@errand/wire/node';
import type { AccessPolicy } from './access-policy.ts';

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
