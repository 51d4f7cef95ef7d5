import { tokenCheck } from '@errand/wire/node';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { ApiError } from './api-error.ts';
import type { CodeLimits, OpeningCodes } from './opening-codes.ts';

/** Who may ask: pages of this very address, in browsers that came by a link. */
export interface Guard {
  /** What browsers present as their cookie; another one with every start. */
  readonly token: string;
  /** The port it listens on, known once it does. */
  readonly port: () => number;
  /** What the links hold. */
  readonly codes: OpeningCodes;
}

/** Refuses what comes under a foreign name, from a foreign page, or without the token. */
export function guardRequests(guard: Guard): MiddlewareHandler {
  return async (context, next) => {
    refuseForeignHost(context.req.header('host'), guard.port());
    refuseForeignPage(context);
    if (hasToken(context, guard)) return next();
    throw new ApiError('forbidden', 'Open the workbench by the link that errand serve printed.');
  };
}

/** Whether a browser came by a link since the program was started. */
export function hasToken(context: Context, { port, token }: Guard): boolean {
  return tokenCheck(token)(getCookie(context, cookieName(port())) ?? '');
}

/** A link that lets one browser in, once. */
export function openingLink(guard: Guard, limits?: CodeLimits): string {
  return `${originOf(guard)}/open?code=${guard.codes.create(limits)}`;
}

/** The address that browsers and programs of this machine use. */
export function originOf({ port }: Guard): string {
  return `http://127.0.0.1:${port()}`;
}

/** Cookies do not tell ports apart, so the name does. */
export function cookieName(port: number): string {
  return `errand-${port}`;
}

/** A foreign name that leads to this machine makes its pages ours; so only our own names count. */
export function refuseForeignHost(host: string | undefined, port: number): void {
  if (host === `127.0.0.1:${port}` || host === `localhost:${port}`) return;
  throw new ApiError(
    'forbidden',
    `Use 127.0.0.1:${port} or localhost:${port}; other host names are refused.`,
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
