import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import { setCookie } from 'hono/cookie';
import { answerFailure } from './answer-failure.ts';
import { ApiError } from './api-error.ts';
import { cookieName, type Guard, guardRequests, hasToken, refuseForeignHost } from './guard.ts';
import { isSameUser } from './is-same-user.ts';

/** Longer than anybody lets the program run; the cookie is worthless after its next start. */
const cookieSeconds = 30 * 24 * 60 * 60;

/** The page itself, and the link that opens it. */
export function pageRoutes(pageFolder: string, guard: Guard): Hono {
  const routes = new Hono();
  routes.onError((error, context) =>
    error instanceof ApiError ? explain(context, error.message) : answerFailure(error, context),
  );
  routes.get('/open', async (context) => {
    const port = guard.port();
    refuseForeignHost(context.req.header('host'), port);
    // Only a GET request uses up the link.
    if (context.req.method !== 'GET') return context.body(null, 204);
    if (!hasToken(context, guard)) {
      const code = context.req.query('code') ?? '';
      const { address: clientAddress = '', port: clientPort = 0 } = getConnInfo(context).remote;
      const isOwn = () => isSameUser({ clientAddress, clientPort, serverPort: port });
      if (!(await guard.codes.redeem(code, isOwn))) return explainUsedLink(context);
      setCookie(context, cookieName(port), guard.token, {
        httpOnly: true,
        sameSite: 'Strict',
        path: '/',
        maxAge: cookieSeconds,
      });
    }
    // Not a redirect: after one, a link that was followed from elsewhere would still come without the cookie.
    return context.html(document('Errand', '', '<meta http-equiv="refresh" content="0;url=/">'));
  });
  routes.use(guardRequests(guard));
  routes.get('/', (context) => servePage(context, pageFolder));
  routes.get('/assets/:name{[\\w.-]+}', (context) => serveAsset(context, pageFolder));
  return routes;
}

/** A browser that came from elsewhere does not show its cookie; by a link on our own page it does. */
function explainUsedLink(context: Context): Response | Promise<Response> {
  const text = `<p>This link was used already, or Errand was started again since it was made.
<p>In the browser that used it: <a href="/">open the workbench</a>.
<p>For another browser: make a new link there, under Settings, or start <code>errand serve</code> again.`;
  return context.html(document('Errand', text), 403);
}

/** A refusal as a browser shows it. */
function explain(context: Context, message: string): Response | Promise<Response> {
  return context.html(document('Errand', `<p>${message}</p>`), 403);
}

async function servePage(context: Context, folder: string): Promise<Response> {
  const page = await readIfExists(join(folder, 'index.html'));
  if (page !== undefined) return context.html(page.toString('utf8'));
  const text =
    'The page is not built yet. Build it with <code>npm run build</code>, then load this again.';
  return context.html(document('Errand', `<p>${text}</p>`), 503);
}

async function serveAsset(context: Context, folder: string): Promise<Response> {
  const name = context.req.param('name') ?? '';
  const type = types[extname(name)];
  const content = type && (await readIfExists(join(folder, 'assets', name)));
  if (!content) return context.notFound();
  return new Response(new Uint8Array(content), {
    // Names hold a hash of the content.
    headers: { 'Content-Type': type, 'Cache-Control': 'private, max-age=31536000, immutable' },
  });
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

async function readIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EISDIR') return undefined;
    throw error;
  }
}

function document(title: string, body: string, head = ''): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>${head}<body>${body}</html>`;
}
