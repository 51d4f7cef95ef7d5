import type { CallOptions } from '@errand/host';
import { echoTool, untilAborted } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { modernRequest, openTestGateway } from './testing/open-test-gateway.ts';

const version = 'io.modelcontextprotocol/protocolVersion';
const capabilities = 'io.modelcontextprotocol/clientCapabilities';
const clientInfo = 'io.modelcontextprotocol/clientInfo';
const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'errand', version: '0.1.0' } };
const echo = { name: 'a__echo', arguments: { text: 'hi' } };

test('a request stands alone: discover, list and call without a handshake', async () => {
  await using test = await openTestGateway();
  const send = async (method: string, params = {}) => {
    const { body, headers } = modernRequest(method, params);
    const response = await test.post(body, headers);
    expect(response.headers.get('mcp-session-id')).toBeNull();
    return ((await response.json()) as { result: unknown }).result;
  };
  expect(await send('server/discover')).toEqual({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      completions: {},
    },
    ttlMs: 3_600_000,
    cacheScope: 'private',
    _meta: serverInfo,
  });
  expect(await send('tools/list')).toEqual({
    resultType: 'complete',
    tools: [{ ...echoTool, name: 'a__echo', _meta: { 'errand/hops': 1 } }],
    ttlMs: 0,
    cacheScope: 'private',
    _meta: serverInfo,
  });
  expect(await send('tools/call', echo)).toEqual({
    resultType: 'complete',
    content: [{ type: 'text', text: 'hi' }],
    _meta: serverInfo,
  });
});

test.each([
  ['no version in the body', 'tools/list', { [version]: undefined }, {}, 400, -32602],
  ['no capabilities', 'tools/list', { [capabilities]: undefined }, {}, 400, -32602],
  [
    'a version nobody knows',
    'tools/list',
    { [version]: '2099-01-01' },
    { 'mcp-protocol-version': '2099-01-01' },
    400,
    -32022,
  ],
  ['two versions', 'tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
  ['no version in the headers', 'tools/list', {}, { 'mcp-protocol-version': '' }, 400, -32020],
  ['no method in the headers', 'tools/list', {}, { 'mcp-method': '' }, 400, -32020],
  ['another method in the headers', 'tools/list', {}, { 'mcp-method': 'tools/call' }, 400, -32020],
  ['the method in other letters', 'tools/list', {}, { 'mcp-method': 'Tools/List' }, 400, -32020],
  ['another tool in the headers', 'tools/call', {}, { 'mcp-name': 'a__other' }, 400, -32020],
  ['no tool in the headers', 'tools/call', {}, { 'mcp-name': '' }, 400, -32020],
  ['a tool in broken base64', 'tools/call', {}, { 'mcp-name': '=?base64?!?=' }, 400, -32020],
  ['a method of the older era', 'ping', {}, {}, 404, -32601],
  ['a handshake', 'initialize', {}, {}, 404, -32601],
  ['an unknown method', 'tasks/list', {}, {}, 404, -32601],
])('%s is refused', async (_what, method, meta, change, status, code) => {
  await using test = await openTestGateway();
  const { body, headers } = modernRequest(method, method === 'tools/call' ? echo : {}, meta);
  const kept = Object.entries({ ...headers, ...change }).filter(([, value]) => value !== '');
  const response = await test.post(body, Object.fromEntries(kept));
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ id: 1, error: { code } });
});

test('an older handshake under a newer version in the headers is refused', async () => {
  await using test = await openTestGateway();
  const params = { protocolVersion: '2025-11-25', capabilities: {} };
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  const response = await test.post(body, { 'mcp-protocol-version': '2026-07-28' });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { code: -32020 } },
  ]);
});

test('the name of a tool may come in base64', async () => {
  await using test = await openTestGateway({ a: { tools: [{ ...echoTool, name: 'echo ü' }] } });
  const name = 'a__echo ü';
  const { body, headers } = modernRequest('tools/call', { ...echo, name });
  const encoded = `=?base64?${Buffer.from(name).toString('base64')}?=`;
  const response = await test.post(body, { ...headers, 'mcp-name': encoded });
  expect(await response.json()).toMatchObject({ result: { content: [{ text: 'hi' }] } });
});

test('parameters that a tool wants mirrored in headers are compared with them', async () => {
  const properties = {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    page: { type: 'object', properties: { size: { type: 'integer', 'x-mcp-header': 'Size' } } },
  };
  const tool = { name: 'find', inputSchema: { type: 'object', properties } };
  await using test = await openTestGateway({ a: { tools: [tool] } });
  const send = async (given: object, extra: Record<string, string>) => {
    const params = { name: 'a__find', arguments: given };
    const { body, headers } = modernRequest('tools/call', params);
    const response = await test.post(body, { ...headers, ...extra });
    const { error } = (await response.json()) as { error?: { code: number } };
    return [response.status, error?.code];
  };
  const given = { region: 'eu', page: { size: 42 } };
  expect(await send(given, { 'mcp-param-region': 'eu', 'mcp-param-size': '42.0' })).toEqual([
    200,
    undefined,
  ]);
  expect(await send(given, { 'mcp-param-region': 'us', 'mcp-param-size': '42' })).toEqual([
    400, -32020,
  ]);
  expect(await send(given, { 'mcp-param-region': 'eu', 'mcp-param-size': '43' })).toEqual([
    400, -32020,
  ]);
  expect(await send(given, { 'mcp-param-region': 'eu' })).toEqual([400, -32020]);
  expect(await send({ region: 'eu' }, { 'mcp-param-region': '=?base64?ZXU=?=' })).toEqual([
    200,
    undefined,
  ]);
  expect(await send({ region: 'eu' }, { 'mcp-param-region': '=?base64?ZXU?=' })).toEqual([
    400, -32020,
  ]);
  expect(await send({}, {})).toEqual([200, undefined]);
});

test('a notification is accepted', async () => {
  await using test = await openTestGateway();
  const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  const response = await test.post(body, { 'mcp-protocol-version': '2026-07-28' });
  expect(response.status).toBe(202);
});

test.each(['made up', 5, { toString: 1 }])(
  'refuses to continue an unknown call: %j',
  async (requestState) => {
    await using test = await openTestGateway();
    const params = { name: 'a__echo', requestState, inputResponses: {} };
    const { body, headers } = modernRequest('tools/call', params);
    const response = await test.post(body, headers);
    expect(await response.json()).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('"requestState"') },
    });
  },
);

test('a call that waits goes on for its client and under the same name only, and ends with the gateway', async () => {
  const ended = Promise.withResolvers<void>();
  const call = async (_call: unknown, { signal, caller }: CallOptions) => {
    signal.addEventListener('abort', () => ended.resolve());
    const question = { server: 'a', kind: 'form', message: '?', schema: {} } as const;
    await caller?.elicitor?.elicit(question, signal);
    return untilAborted(signal);
  };
  await using test = await openTestGateway({ a: { call } });
  const askable = { [capabilities]: { elicitation: {} } };
  const first = modernRequest('tools/call', { name: 'a__echo' }, askable);
  const response = await test.post(first.body, first.headers);
  const { result } = (await response.json()) as { result: { requestState: string } };
  expect(result).toMatchObject({
    resultType: 'input_required',
    inputRequests: { 'question-1': { method: 'elicitation/create', params: { message: '?' } } },
  });
  const { requestState } = result;
  const other = modernRequest('tools/call', { name: 'a__other', requestState }, askable);
  const stranger = { ...askable, [clientInfo]: { name: 'somebody else', version: '1' } };
  const stolen = modernRequest('tools/call', { name: 'a__echo', requestState }, stranger);
  for (const { body, headers } of [other, stolen]) {
    expect(await (await test.post(body, headers)).json()).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('"requestState"') },
    });
  }
  test.gateway[Symbol.dispose]();
  await ended.promise;
});
