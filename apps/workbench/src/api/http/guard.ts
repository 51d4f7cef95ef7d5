import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { ApiError } from './api-error.ts';

/** Who may ask: pages of this very address that were opened by the link with the token. */
export interface Guard {
  /** Set on the first answer; other programs on this machine cannot know it. */
  readonly token: string;
  /** The port it listens on, known once it does. */
  readonly port: () => number;
}

/** Refuses what comes under a foreign name, from a foreign page, or without the token. */
export function guardRequests(guard: Guard): MiddlewareHandler {
  return async (context, next) => {
    refuseForeignHost(context.req.header('host'), guard.port());
    refuseForeignPage(context);
    const given = getCookie(context, cookieName(guard.port())) ?? '';
    if (isSame(given, guard.token)) return next();
    throw needsLink();
  };
}

export function needsLink(): ApiError {
  return new ApiError('forbidden', 'Open the workbench by the link that errand serve printed.');
}

/** Cookies do not tell ports apart, so the name does. */
export function cookieName(port: number): string {
  return `errand-${port}`;
}

export function isSame(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

/** A foreign name that leads to this machine makes its pages ours; so only our own names count. */
export function refuseForeignHost(host: string | undefined, port: number): void {
  if (host === `127.0.0.1:${port}` || host === `localhost:${port}`) return;
  throw new ApiError(
    'forbidden',
    `This is reached as 127.0.0.1:${port} or localhost:${port}, and by no other name.`,
  );
}

/** Whether a page of our own address asks, or no page at all. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  return origin === undefined || origin === `http://${host}`;
}

/** Same-site cookies also come with requests from other ports of this machine; this tells them apart. */
function refuseForeignPage({ req }: Context): void {
  const site = req.header('sec-fetch-site');
  const isOwn = site === undefined || site === 'same-origin' || site === 'none';
  // Following a link from elsewhere is no more than opening the page.
  const isOpening = req.method === 'GET' && req.header('sec-fetch-dest') === 'document';
  const isPage = !/^\/api(\/|$)/.test(req.path) && isOpening;
  if (isOwnOrigin(req.header('origin'), req.header('host')) && (isOwn || isPage)) return;
  throw new ApiError('forbidden', 'Other web pages cannot use the workbench.');
}
