import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface GuardOptions {
  /** What clients present as their bearer token; without one only this machine is answered. */
  readonly token?: string;
}

/** Why a request is turned away before anybody reads it. */
export interface TurnedAway {
  readonly status: 401 | 403;
  readonly message: string;
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);
const needsToken =
  'This gateway needs its token: send "Authorization: Bearer TOKEN". A configuration that holds it is printed by: errand gateway --port PORT --print-config PROGRAM';
const bearer = /^bearer +(.+)$/i;
const loopbackAddress = /^(?:::ffff:)?127\.|^::1$/;

/** Makes the check of every request: the token, and that no web page has lured a browser here. */
export function guardRequest({
  token,
}: GuardOptions): (request: IncomingMessage) => TurnedAway | undefined {
  const expected = token === undefined ? undefined : digest(token);
  return ({ headers, socket }) => {
    if (expected !== undefined) {
      const presented = bearer.exec(headers.authorization ?? '')?.[1] ?? '';
      if (!timingSafeEqual(digest(presented), expected)) {
        return turnedAway(401, needsToken);
      }
    } else if (!isLoopback(socket.remoteAddress)) {
      return turnedAway(403, 'This gateway answers other machines only when it has a token.');
    }
    const host = hostname(headers.host);
    // A browser of this machine comes by another name only when a page has renamed this machine for it.
    if (!loopbackNames.has(host) && isLoopback(socket.remoteAddress)) {
      return turnedAway(403, `Host "${host}" is not allowed. Use localhost or 127.0.0.1.`);
    }
    const { origin } = headers;
    if (origin !== undefined && !isOwnOrigin(origin, host)) {
      return turnedAway(
        403,
        `Origin "${origin}" is not allowed: web pages cannot use this gateway.`,
      );
    }
    return undefined;
  };
}

/** Whether an address is of this machine only; a local socket has none. */
export function isLoopback(address: string | undefined): boolean {
  return address === undefined || loopbackAddress.test(address);
}

function hostname(host = ''): string {
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':');
  return (end > 0 ? host.slice(0, end) : host).toLowerCase();
}

function isOwnOrigin(origin: string, host: string): boolean {
  const name = URL.parse(origin)?.hostname;
  return name !== undefined && (name === host || loopbackNames.has(name));
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function turnedAway(status: 401 | 403, message: string): TurnedAway {
  return { status, message };
}
