import { timingSafeEqual } from 'node:crypto';

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const loopbackAddress = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/;
const hostHeader = /^(\[[\da-f:.]+\]|[^:@/?#[\]\s\\]+)(?::\d{1,5})?$/i;
const bearer = /^bearer +(.+?) *$/i;

/** Whether an address reaches or comes from this machine only; a local socket has none. */
export function isLoopback(address: string | undefined): boolean {
  return address === undefined || loopbackAddress.test(address);
}

/** Whether a name of a Host header or an origin always means this machine. */
export function isLoopbackName(name: string): boolean {
  return loopbackNames.has(name);
}

/** The name in a Host header, in lower case and without the port; empty when the header is malformed. */
export function hostnameOf(header: string | undefined): string {
  return hostHeader.exec(header ?? '')?.[1]?.toLowerCase() ?? '';
}

/** Whether a request comes from no web page, or from a page of a permitted host. */
export function isAllowedOrigin(
  origin: string | undefined,
  isAllowed: (hostname: string) => boolean,
): boolean {
  if (origin === undefined) return true;
  const name = URL.parse(origin)?.hostname;
  return name !== undefined && name !== '' && isAllowed(name);
}

/** The token of an Authorization header; empty when there is none. */
export function bearerToken(authorization: string | undefined): string {
  return bearer.exec(authorization ?? '')?.[1] ?? '';
}

/** Makes the check of a token. How long it takes tells nothing about the token but its length. */
export function tokenCheck(token: string): (presented: string) => boolean {
  const expected = Buffer.from(token);
  const given = Buffer.alloc(expected.length);
  return (presented) => {
    given.fill(0);
    given.write(presented);
    const isEqual = timingSafeEqual(given, expected);
    return isEqual && Buffer.byteLength(presented) === expected.length;
  };
}
