import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { modernRequest, openTestGateway } from './testing/open-test-gateway.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const echo = { name: 'a__echo', arguments: { text: 'hi' } };
const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: echo };

describe('malformed and misplaced messages are answered with the right code', () => {
  test.each([
    ['text that is not JSON', '{"jsonrpc":', 400, -32700, null],
    ['a number', '5', 400, -32600, null],
    ['another version of JSON-RPC', { ...ping, jsonrpc: '1.0' }, 400, -32600, 1],
    ['no method', { jsonrpc: '2.0', id: 1 }, 400, -32600, 1],
    ['an id that is an object', { ...ping, id: {} }, 400, -32600, null],
    ['an id that is null', { ...ping, id: null }, 400, -32600, null],
    ['an id that is a fraction', { ...ping, id: 1.5 }, 400, -32600, null],
    ['parameters in an array', { ...ping, params: [1] }, 400, -32602, 1],
    ['an unknown method', { ...ping, method: 'tasks/list' }, 200, -32601, 1],
    ['a method named like a property', { ...ping, method: 'constructor' }, 200, -32601, 1],
    ['a method of the newer era', { ...ping, method: 'server/discover' }, 200, -32601, 1],
    ['an unknown tool', { ...call, params: { name: 'a__no' } }, 200, -32602, 7],
    ['a tool without a name', { ...call, params: {} }, 200, -32602, 7],
    ['arguments in an array', { ...call, params: { ...echo, arguments: [] } }, 200, -32602, 7],
    [
      'a cursor nobody gave',
      { ...ping, method: 'tools/list', params: { cursor: 'x' } },
      200,
      -32602,
      1,
    ],
    ['a batch, in a revision without them', [ping], 400, -32600, null],
  ])('%s', async (_what, body, status, code, id) => {
    await using test = await openTestGateway();
    const session = await test.initialize();
    const response = await test.post(body, session);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
    const after = await test.post(call, session);
    expect(await after.json()).toMatchObject({ id: 7, result: { content: [{ text: 'hi' }] } });
  });

  test.each([
    ['without a version', {}],
    ['with a version that cannot be made a text', { protocolVersion: { toString: 1 } }],
  ])('initialize %s', async (_what, params) => {
    await using test = await openTestGateway();
    const response = await test.post({ ...ping, method: 'initialize', params });
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await response.json()).toMatchObject({ error: { code: -32602 } });
  });
});

describe('HTTP that is not MCP is refused', () => {
  test.each([
    ['another content type', { 'content-type': 'text/plain' }, 415],
    ['a similar content type', { 'content-type': 'application/jsonp' }, 415],
    ['a client that takes no JSON', { accept: 'text/html' }, 406],
    ['no session', {}, 400],
    ['an unknown session', { 'mcp-session-id': 'x' }, 404],
    ['an unknown version', { 'mcp-protocol-version': '1999-01-01' }, 400],
    ['a foreign origin', { origin: 'https://example.com' }, 403],
    ['the origin of a sandboxed page', { origin: 'null' }, 403],
  ])('%s', async (_what, headers, status) => {
    await using test = await openTestGateway();
    const response = await test.post(ping, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null });
  });

  test('other methods, naming those that there are', async () => {
    await using test = await openTestGateway();
    const response = await fetch(test.url, { method: 'PUT' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST, DELETE']);
  });

  test('another path', async () => {
    await using test = await openTestGateway();
    expect((await fetch(new URL('/', test.url))).status).toBe(404);
  });

  test('a host name that a web page brought along', async () => {
    await using test = await openTestGateway();
    const status = await new Promise((resolve) => {
      request(test.url, { headers: { host: 'rebound.example.com' } }, (response) =>
        resolve(response.resume().statusCode),
      ).end();
    });
    expect(status).toBe(403);
  });

  test('a body over 4 MiB, while it is read', async () => {
    await using test = await openTestGateway();
    const session = await test.initialize();
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', ...session };
      const sent = request(test.url, { method: 'POST', headers }, (response) =>
        resolve(response.resume().statusCode),
      );
      sent.on('error', reject).write(`{"text":"${'x'.repeat(5 * 1024 * 1024)}`);
      sent.end('"}');
    });
    expect(status).toBe(413);
    expect((await test.post(ping, session)).status).toBe(200);
  });

  test('a body over 4 MiB as soon as it is announced', async () => {
    await using test = await openTestGateway();
    const status = await new Promise((resolve, reject) => {
      const length = { 'content-length': 5 * 1024 * 1024 };
      const headers = { 'content-type': 'application/json', ...length };
      const sent = request(test.url, { method: 'POST', headers }, (response) => {
        resolve(response.resume().statusCode);
        sent.destroy();
      });
      sent.on('error', reject).flushHeaders();
    });
    expect(status).toBe(413);
  });
});

test('a token is asked of everybody once there is one', async () => {
  await using test = await openTestGateway({ a: {} }, { token: 'secret' });
  const { body, headers } = modernRequest('tools/list');
  const without = await test.post(body, headers);
  expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  expect((await test.post(body, { ...headers, authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await test.post(body, { ...headers, authorization: 'Bearer secret' })).status).toBe(200);
});

test('notifications and responses are accepted without an answer', async () => {
  await using test = await openTestGateway();
  const session = await test.initialize();
  for (const body of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'unknown' } },
    { jsonrpc: '2.0', id: 3, result: {} },
  ]) {
    const response = await test.post(body, session);
    expect([response.status, await response.text()]).toEqual([202, '']);
  }
});

test('a session ends with DELETE', async () => {
  await using test = await openTestGateway();
  const session = await test.initialize();
  expect((await fetch(test.url, { method: 'DELETE', headers: session })).status).toBe(204);
  expect((await test.post(ping, session)).status).toBe(404);
  expect((await fetch(test.url, { method: 'DELETE', headers: session })).status).toBe(404);
});

test('a batch is answered as one in the revision that has them', async () => {
  await using test = await openTestGateway();
  const session = await test.initialize('2025-03-26');
  const notice = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const response = await test.post([ping, notice, call, { id: 9 }], session);
  expect(await response.json()).toEqual([
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 7, result: { content: [{ type: 'text', text: 'hi' }] } },
    expect.objectContaining({ id: 9, error: expect.objectContaining({ code: -32600 }) }),
  ]);
  expect((await test.post([notice], session)).status).toBe(202);
  expect((await test.post([], session)).status).toBe(400);
});

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'a client of revision %s is spoken to in it',
  async (protocolVersion) => {
    await using test = await openTestGateway();
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const response = await test.post({ ...ping, method: 'initialize', params });
    expect(await response.json()).toMatchObject({
      result: {
        protocolVersion,
        capabilities: { tools: { listChanged: true }, prompts: { listChanged: true } },
        serverInfo: { name: 'errand', version: '0.1.0' },
      },
    });
  },
);

test('a client of an unknown revision is offered the latest of the older era', async () => {
  await using test = await openTestGateway();
  const params = { protocolVersion: '2099-01-01', capabilities: {} };
  const response = await test.post({ ...ping, method: 'initialize', params });
  expect(await response.json()).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
});
