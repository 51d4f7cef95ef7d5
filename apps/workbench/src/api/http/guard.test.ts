import { inspectRoutes } from 'hono/dev';
import { expect, test } from 'vitest';
import { type ApiRoutesPorts, apiRoutes } from '../api-routes.ts';
import { ask, TestClient } from '../testing/test-client.ts';
import { gatewayToken, openTestWorkbench } from '../testing/test-workbench.ts';

test('the link sets a cookie that scripts and other sites cannot use, and opens the page', async () => {
  await using workbench = await openTestWorkbench();
  const link = workbench.served.newLink();
  const { status, headers, text } = await ask(link);
  expect(status).toBe(200);
  expect(headers['set-cookie']?.[0]).toMatch(
    /^errand-\d+=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  expect(text).toContain('url=/');
  expect(new URL(link).hostname).toBe('127.0.0.1');
  const wrong = link.replace(/code=.*/, 'code=guess');
  const refused = await ask(wrong);
  expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('errand serve') });
  expect(refused.headers['set-cookie']).toBeUndefined();
});

test('a link works once; the browser that used it may use it again, and makes one for another', async () => {
  await using workbench = await openTestWorkbench();
  const link = workbench.served.newLink();
  expect(await ask(link, { method: 'HEAD' })).toMatchObject({ status: 204 });
  const first = await TestClient.open(link);
  expect(await first.get('/calls')).toMatchObject({ isStopped: false });
  const again = await ask(link);
  expect(again).toMatchObject({ status: 403, text: expect.stringContaining('used already') });
  expect(again.headers['set-cookie']).toBeUndefined();
  expect(await ask(link, { headers: { cookie: first.cookie } })).toMatchObject({ status: 200 });
  const { link: another } = await first.send<{ link: string }>('POST', '/link');
  expect(another).not.toBe(link);
  expect(await (await TestClient.open(another)).get('/calls')).toMatchObject({ isStopped: false });
  expect((await ask(another)).status).toBe(403);
});

test('after a restart neither an old cookie nor an old link is good for anything', async () => {
  await using workbench = await openTestWorkbench();
  const unused = workbench.served.newLink();
  const before = await workbench.open();
  await workbench.stop();
  await workbench.start();
  expect(await before.fails('GET', '/state')).toMatchObject({ status: 403, code: 'forbidden' });
  expect(await ask(unused)).toMatchObject({ status: 403 });
  expect((await workbench.open()).cookie).not.toBe(before.cookie);
});

test('every answer forbids script from elsewhere, guessing of types and frames', async () => {
  await using workbench = await openTestWorkbench();
  const page = await workbench.open();
  for (const path of ['/api/state', '/', '/api/nothing', '/assets/none.js']) {
    const { headers } = await ask(page.origin + path, { headers: { cookie: page.cookie } });
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
  }
});

/** Every route of the API, with something in the place of ids. */
const routes = inspectRoutes(apiRoutes({} as ApiRoutesPorts))
  .filter(({ isMiddleware }) => !isMiddleware)
  .map(({ method, path }) => [method, path.replace(/:\w+/, 'x')] as const);

test('the routes are those of the API', () => {
  expect(routes.length).toBeGreaterThan(40);
  expect(routes).toContainEqual(['POST', '/calls/resume']);
  expect(routes).toContainEqual(['PUT', '/secrets/x']);
});

test.each([
  ['no cookie', { cookie: '' }],
  ['a wrong cookie', { cookie: 'errand-1=x' }],
  ['a foreign Host', { host: 'errand.example:80' }],
  ['a name that another site could own', { host: 'localhost.example' }],
  ['our name with another port', { host: '127.0.0.1:1' }],
  ['a foreign Origin', { origin: 'https://evil.example' }],
  ["another port's page", { origin: 'http://127.0.0.1:1' }],
  ['an Origin of null', { origin: 'null' }],
  ['a request a foreign page made', { 'sec-fetch-site': 'cross-site' }],
  ["a request another port's page made", { 'sec-fetch-site': 'same-site' }],
  [
    "a frame in another port's page",
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  ],
])('refuses %s on every route', async (_, headers) => {
  await using workbench = await openTestWorkbench({ files: { 'n.md': 'x' } });
  const page = await workbench.open();
  for (const [method, path] of routes) {
    const body = ['GET', 'DELETE'].includes(method) ? {} : { body: {} };
    expect(await page.ask(path, { method, headers, ...body }), `${method} ${path}`).toMatchObject({
      status: 403,
      text: expect.stringContaining('"forbidden"'),
    });
  }
});

test('what a form of a foreign page can send is no body', async () => {
  await using workbench = await openTestWorkbench();
  const page = await workbench.open();
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const options = { method: 'PATCH', body: {}, headers: { 'content-type': type } };
    expect(await page.ask('/settings', options)).toMatchObject({ status: 422 });
  }
});

test('the gateway answers programs that have its token, and no web page of another address', async () => {
  await using workbench = await openTestWorkbench();
  const { gatewayUrl } = workbench.served;
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  const accept = 'application/json, text/event-stream';
  const authorization = `Bearer ${gatewayToken}`;
  const initialize = (headers: object = {}) =>
    ask(gatewayUrl, { method: 'POST', body, headers: { accept, authorization, ...headers } });
  for (const wrong of ['', 'Bearer guess', 'Bearer ']) {
    expect(await initialize({ authorization: wrong })).toMatchObject({ status: 401 });
  }
  const page = await workbench.open();
  expect(await initialize({ authorization: '', cookie: page.cookie })).toMatchObject({
    status: 401,
  });
  expect(await page.get('/state')).toMatchObject({
    gateway: { url: gatewayUrl, token: gatewayToken },
  });
  expect(await initialize()).toMatchObject({
    status: 200,
    text: expect.stringContaining('"serverInfo":{"name":"errand"'),
  });
  for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'http://localhost:3000']) {
    expect(await initialize({ origin })).toMatchObject({ status: 403 });
  }
  expect(await initialize({ host: 'evil.example' })).toMatchObject({ status: 403 });
});

test('a file that could run script is saved instead of shown', async () => {
  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  await using workbench = await openTestWorkbench({
    files: { 'a.svg': script, 'a.html': script, 'a.png': 'x', 'a.json': '{}', 'a.xml': script },
  });
  const page = await workbench.open();
  const headersOf = async (name: string) => (await page.ask(`/file?path=${name}`)).headers;
  for (const name of ['a.html', 'a.xml']) {
    expect(await headersOf(name)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment/),
    });
  }
  for (const name of ['a.svg', 'a.html', 'a.png', 'a.json']) {
    expect(await headersOf(name)).toMatchObject({
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
  }
  expect(await headersOf('a.png')).toMatchObject({ 'content-type': 'image/png' });
  expect(await headersOf('a.json')).toMatchObject({ 'content-type': 'text/plain; charset=utf-8' });
  expect(await page.fails('GET', '/file?path=none.png')).toMatchObject({ status: 404 });
});
