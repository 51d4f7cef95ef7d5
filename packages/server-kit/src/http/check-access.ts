import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { AccessPolicy } from './access-policy.ts';

export interface AccessRefusal {
  readonly status: 401 | 403;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Why a request may not be served, or undefined. */
export function checkAccess(
  headers: IncomingHttpHeaders,
  policy: AccessPolicy,
): AccessRefusal | undefined {
  const hostnames = [...policy.hostnames];
  const host = validateHostHeader(headers.host, hostnames);
  if (!host.ok) {
    const hint = 'To serve another name, add it to MCP_ALLOWED_HOSTS.';
    return { status: 403, message: `${host.message}. ${hint}` };
  }
  const origin = validateOriginHeader(headers.origin, hostnames);
  if (!origin.ok) return { status: 403, message: `${origin.message}.` };
  if (policy.token === undefined || hasToken(headers, policy.token)) return undefined;
  return {
    status: 401,
    message: 'This server needs the header "Authorization: Bearer TOKEN" with its MCP_AUTH_TOKEN.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  };
}

function hasToken(headers: IncomingHttpHeaders, token: string): boolean {
  const [, given = ''] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  // Equal lengths and constant time: how long a comparison takes must not tell the token.
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
