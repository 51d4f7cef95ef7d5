import type { IncomingMessage } from 'node:http';
import {
  bearerToken,
  hostnameOf,
  isAllowedOrigin,
  isLoopback,
  isLoopbackName,
  tokenCheck,
} from '@errand/wire/node';

export interface GuardOptions {
  /** What clients present as their bearer token; without one only this machine is answered. */
  readonly token?: string;
  /** Says to clients without it where the token is found. */
  readonly tokenHint?: string;
}

/** Why a request is rejected before its body is read. */
interface Rejection {
  readonly status: 401 | 403;
  readonly message: string;
}

/** Creates the check that every request must pass: the token, and the Host and Origin headers against DNS rebinding. */
export function guardRequest({
  token,
  tokenHint,
}: GuardOptions): (request: IncomingMessage) => Rejection | undefined {
  const needsToken = `This gateway needs its token: send "Authorization: Bearer TOKEN".${tokenHint === undefined ? '' : ` ${tokenHint}`}`;
  const isToken = token === undefined ? undefined : tokenCheck(token);
  return ({ headers, socket }) => {
    if (isToken !== undefined) {
      if (!isToken(bearerToken(headers.authorization))) return rejection(401, needsToken);
    } else if (!isLoopback(socket.remoteAddress)) {
      return rejection(403, 'This gateway answers other machines only when it has a token.');
    }
    const host = hostnameOf(headers.host);
    // A local request with a foreign host name is a DNS rebinding attack.
    if (!isLoopbackName(host) && isLoopback(socket.remoteAddress)) {
      return rejection(403, `Host "${host}" is not allowed. Use localhost or 127.0.0.1.`);
    }
    const { origin } = headers;
    if (!isAllowedOrigin(origin, (name) => name === host || isLoopbackName(name))) {
      return rejection(
        403,
        `Origin "${origin}" is not allowed: web pages cannot use this gateway.`,
      );
    }
    return undefined;
  };
}

function rejection(status: 401 | 403, message: string): Rejection {
  return { status, message };
}
