import type { IncomingMessage } from 'node:http';
import {
  bearerToken,
  hostnameOf,
  isAllowedOrigin,
  isLoopback,
  isLoopbackName,
  tokenCheck,
} from '@errand/wire/node';
import type { Logins } from './oauth/logins.ts';
import type { ClientIdentity } from './replica/gateway-client.ts';

export interface GuardOptions {
  /** What clients present as their bearer token; without one only this machine is answered. */
  readonly token?: string;
  /** Finds the client whose own token this is; it may take the place of the common token. */
  readonly clients?: (token: string) => ClientIdentity | undefined;
  /** Takes tokens of an authorization server beside the clients' own. */
  readonly logins?: Logins;
  /** Says to clients without it where the token is found. */
  readonly tokenHint?: string;
  /** A name that a balancer on this machine passes on in the Host header. */
  readonly hostname?: string;
}

/** Whose request it is, or why it is rejected before its body is read. */
export type Guarded = { readonly kind: 'passed'; readonly client?: ClientIdentity } | Rejection;

interface Rejection {
  readonly kind: 'rejected';
  readonly status: 401 | 403 | 503;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Creates the check that every request must pass: the token, and the Host and Origin headers against DNS rebinding. */
export function guardRequest(
  options: GuardOptions,
): (request: IncomingMessage) => Guarded | Promise<Guarded> {
  const { token, tokenHint, clients, logins, hostname } = options;
  const needsToken = `This gateway needs its token: send "Authorization: Bearer TOKEN".${tokenHint === undefined ? '' : ` ${tokenHint}`}`;
  const isCommon = token === undefined ? () => false : tokenCheck(token);
  const isGuarded = token !== undefined || clients !== undefined || logins !== undefined;
  const challenge = logins?.challenge ?? 'Bearer';
  return (request) => {
    const { headers, socket } = request;
    if (!isGuarded) {
      if (isLoopback(socket.remoteAddress)) return checkNames(request, hostname) ?? passed;
      return rejection(403, 'This gateway answers other machines only when it has a token.');
    }
    const presented = bearerToken(headers.authorization);
    const client = clients?.(presented);
    if (client !== undefined || isCommon(presented)) {
      return checkNames(request, hostname) ?? (client ? { kind: 'passed', client } : passed);
    }
    if (!logins?.isCandidate(presented)) return rejection(401, needsToken, challenge);
    return checkNames(request, hostname) ?? byLogin(presented, logins);
  };
}

const passed: Guarded = { kind: 'passed' };

async function byLogin(token: string, logins: Logins): Promise<Guarded> {
  const answer = await logins.check(token);
  if (answer.kind === 'refused') return rejection(answer.status, answer.message, answer.challenge);
  const { name, subject } = answer;
  return { kind: 'passed', client: { name, subject } };
}

function checkNames(
  { headers, socket }: IncomingMessage,
  ownName: string | undefined,
): Rejection | undefined {
  const host = hostnameOf(headers.host);
  const isOwn = (name: string) => isLoopbackName(name) || name === ownName;
  // A local request with a foreign host name is a DNS rebinding attack.
  if (!isOwn(host) && isLoopback(socket.remoteAddress)) {
    return rejection(403, `Host "${host}" is not allowed. Use localhost or 127.0.0.1.`);
  }
  const { origin } = headers;
  if (!isAllowedOrigin(origin, (name) => name === host || isLoopbackName(name))) {
    return rejection(403, `Origin "${origin}" is not allowed: web pages cannot use this gateway.`);
  }
  return undefined;
}

function rejection(status: Rejection['status'], message: string, challenge?: string): Rejection {
  const headers = {
    ...(challenge !== undefined && { 'WWW-Authenticate': challenge }),
    ...(status === 503 && { 'Retry-After': '5' }),
  };
  return { kind: 'rejected', status, message, headers };
}
