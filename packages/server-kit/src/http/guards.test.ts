import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { defineServer } from '../define-server.ts';
import { defineTool } from '../define-tool.ts';
import { serve } from '../serve.ts';
import { exampleServer } from '../testing/example-tools.ts';
import { handshake, openHttp, post } from '../testing/open-http.ts';
import { serveOverHttp } from '../testing/serve-in-process.ts';

const token = 'a-secret-of-some-length';

test.each([
  ['a foreign host', { Host: 'evil.example' }, 403],
  ['a foreign host with our port', { Host: 'evil.example:1' }, 403],
  ['a host that only begins like ours', { Host: 'localhost.evil.example' }, 403],
  ['a foreign origin', { Origin: 'https://evil.example' }, 403],
  ['an origin without a name', { Origin: 'null' }, 403],
  ['our own host', { Host: 'localhost:1234' }, 200],
  ['a page of this machine', { Origin: 'http://localhost:5173' }, 200],
])('answers a request with %s: %j', async (_, headers, status) => {
  await using setting = await serveOverHttp(exampleServer);
  expect((await raw(setting.url, headers)).status).toBe(status);
});

test('serves a configured host name', async () => {
  const env = { MCP_ALLOWED_HOSTS: 'vault, Notes.example' };
  await using setting = await serveOverHttp(exampleServer, { env });
  expect((await raw(setting.url, { Host: 'notes.example:80' })).status).toBe(200);
  const refused = await raw(setting.url, { Host: 'other.example' });
  expect(refused.body).toContain('MCP_ALLOWED_HOSTS');
});

test('does not start beyond this machine without a token', async () => {
  const start = (env: Record<string, string>) =>
    serve(exampleServer, { argv: ['--http', '0', '--host', '0.0.0.0'], env });
  await expect(start({})).rejects.toMatchObject({ code: 'token_required' });
  await expect(start({ MCP_AUTH_TOKEN: 'short' })).rejects.toMatchObject({
    code: 'invalid_setting',
  });
});

test('wants its token when it has one', async () => {
  await using setting = await serveOverHttp(exampleServer, { env: { MCP_AUTH_TOKEN: token } });
  const refused = await post(setting.url, handshake);
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  const wrong = { Authorization: `Bearer ${token}x` };
  expect((await post(setting.url, handshake, wrong)).status).toBe(401);
  const client = await openHttp(setting.url, { Authorization: `Bearer ${token}` });
  expect(await client.call('echo', { text: 'hi' })).toMatchObject({ result: {} });
});

test('refuses a body that says it is too large without reading it', async () => {
  await using setting = await serveOverHttp(exampleServer);
  const socket = await open(setting.url);
  socket.write(head(setting.url, 'Content-Length: 104857600'));
  expect(await text(socket)).toMatch(/^HTTP\/1.1 413 .*larger than 4194304 bytes/s);
});

test('refuses a body that turns out to be too large without reading it all', async () => {
  await using setting = await serveOverHttp(exampleServer, { limits: { bodyBytes: 100_000 } });
  const socket = await open(setting.url);
  socket.write(head(setting.url, 'Transfer-Encoding: chunked'));
  let answer = '';
  socket.once('data', (bytes) => {
    answer = bytes.toString();
  });
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  let sent = 0;
  for (; answer === '' && sent < 1_000; sent += 1) {
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'data')]);
  }
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
  expect(sent).toBeLessThan(1_000);
  socket.destroy();
});

test.each([
  ['sends nothing', ''],
  ['never ends its headers', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
])('closes a connection that %s', async (_, beginning) => {
  await using setting = await serveOverHttp(exampleServer, { limits: { headersTimeout: 100 } });
  const socket = await open(setting.url);
  socket.write(beginning);
  await text(socket);
  expect(socket.readableEnded).toBe(true);
});

test('closes a connection whose body never comes', async () => {
  const limits = { headersTimeout: 100, requestTimeout: 150 };
  await using setting = await serveOverHttp(exampleServer, { limits });
  const socket = await open(setting.url);
  socket.write(head(setting.url, 'Content-Length: 10'));
  await text(socket);
  expect(socket.readableEnded).toBe(true);
});

test('cuts off a client that never reads, and cancels its call', async () => {
  const cutOff = Promise.withResolvers<void>();
  const shout = defineTool({
    name: 'shout',
    description: 'Says more and more until it is cut off.',
    input: z.object({}),
    async handler(_, { progress, signal }) {
      for (let done = 0; !signal.aborted; done += 1) {
        progress(done, undefined, 'x'.repeat(100_000));
        await setImmediate();
      }
      cutOff.resolve();
    },
  });
  const definition = defineServer({ name: 'loud', version: '1.0.0', tools: [shout] });
  await using setting = await serveOverHttp(definition, { limits: { unsentBytes: 1_000_000 } });
  const { id } = await openHttp(setting.url);
  const socket = await open(setting.url);
  socket.pause();
  const params = { name: 'shout', _meta: { progressToken: 1 } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  socket.write(head(setting.url, `Mcp-Session-Id: ${id}\r\nContent-Length: ${body.length}`) + body);
  await cutOff.promise;
  socket.destroy();
});

test('reports its status in /health, with 503 when it is degraded', async () => {
  await using setting = await serveOverHttp(exampleServer, { limits: { maxClients: 1 } });
  const health = () => fetch(new URL('/health', setting.url));
  const well = await health();
  expect(well.status).toBe(200);
  expect(await well.json()).toMatchObject({
    status: 'healthy',
    components: { server: 'running', transports: { http: 'active' }, sessions: 'available' },
    metrics: { activeSessions: 0, maxSessions: 1, errorRate: 0, memoryUsage: expect.any(Number) },
    issues: [],
  });
  await openHttp(setting.url);
  const full = await health();
  expect(full.status).toBe(503);
  expect(await full.json()).toMatchObject({
    status: 'degraded',
    issues: ['All 1 sessions are taken; new ones are refused.'],
  });
});

test('shows strangers only its status', async () => {
  await using setting = await serveOverHttp(exampleServer, { env: { MCP_AUTH_TOKEN: token } });
  const health = await fetch(new URL('/health', setting.url));
  expect(await health.json()).toEqual({ status: 'healthy' });
});

test.each<[string, RequestInit & { path?: string }, number]>([
  ['no session', { method: 'GET', headers: { Accept: 'text/event-stream' } }, 400],
  ['another method', { method: 'PUT' }, 405],
  ['another path', { path: '/other' }, 404],
  ['no JSON', { method: 'POST', body: '{', headers: { 'Content-Type': 'application/json' } }, 400],
  ['another type', { method: 'POST', body: '{}', headers: { 'Content-Type': 'text/plain' } }, 415],
])('answers a request with %s by its status', async (_, { path = '/mcp', ...init }, status) => {
  await using setting = await serveOverHttp(exampleServer);
  const response = await fetch(new URL(path, setting.url), init);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: {} });
});

test('wants a session for everything but initialize, and knows when it is gone', async () => {
  await using setting = await serveOverHttp(exampleServer);
  const list = { jsonrpc: '2.0', id: 5, method: 'tools/list' };
  const without = await post(setting.url, list);
  expect(without.status).toBe(400);
  expect(await without.text()).toContain('Send initialize first');
  const client = await openHttp(setting.url);
  const again = await client.post({ ...handshake, id: 6 });
  expect(again.status).toBe(400);
  const version = { ...client.headers, 'MCP-Protocol-Version': '1999-01-01' };
  expect((await post(setting.url, list, version)).status).toBe(400);
  expect((await post(setting.url, list, { ...client.headers, Accept: 'text/html' })).status).toBe(
    406,
  );
  const ended = await fetch(setting.url, { method: 'DELETE', headers: client.headers });
  expect(ended.status).toBe(200);
  expect((await client.post({ id: 7, method: 'ping' })).status).toBe(404);
  expect(setting.server.report().sessions).toEqual([]);
});

test('leaves no session behind when the handshake is wrong', async () => {
  await using setting = await serveOverHttp(exampleServer);
  const wrong = { ...handshake, params: { ...handshake.params, protocolVersion: 5 } };
  const response = await post(setting.url, wrong);
  expect(await response.json()).toMatchObject({ id: 'init', error: { code: -32_602 } });
  expect(setting.server.report().sessions).toEqual([]);
});

test('has one stream per session', async () => {
  await using setting = await serveOverHttp(exampleServer);
  const { headers } = await openHttp(setting.url);
  const listen = () => fetch(setting.url, { headers });
  const first = await listen();
  expect(first.headers.get('content-type')).toBe('text/event-stream');
  expect((await listen()).status).toBe(409);
  await first.body?.cancel();
  await vi.waitFor(async () => expect((await listen()).status).toBe(200), { timeout: 5_000 });
});

/** A POST with headers that fetch would not let us choose. */
async function raw(url: URL, headers: Readonly<Record<string, string>>) {
  const sent = request(url, {
    method: 'POST',
    headers: {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      ...headers,
    },
  });
  sent.end(JSON.stringify(handshake));
  const [response] = await once(sent, 'response');
  return { status: response.statusCode as number, body: await text(response) };
}

async function open(url: URL): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

function head(url: URL, more: string): string {
  const accept = 'Accept: application/json, text/event-stream';
  const type = 'Content-Type: application/json';
  return `POST /mcp HTTP/1.1\r\nHost: ${url.host}\r\n${accept}\r\n${type}\r\n${more}\r\n\r\n`;
}
