import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { CallOptions } from '@errand/host';
import { echoTool, textResult, untilAborted } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { serveOnStdio } from './serve-on-stdio.ts';
import { modernRequest, openTestGateway } from './testing/open-test-gateway.ts';

const tooMuch = 'x'.repeat(4 * 1024 * 1024);
const deep = '['.repeat(20_000) + ']'.repeat(20_000);
const echo = { name: 'a__echo', arguments: { text: 'hi' } };

test.each([
  ['text that is not JSON', 'hello', -32700, null],
  ['something that is no message', '{"id":4}', -32600, 4],
  ['an unknown method', '{"jsonrpc":"2.0","id":4,"method":"no"}', -32601, 4],
  ['a batch, in a revision without them', '[]', -32600, null],
  ['a line over 4 MiB', `{"text":"${tooMuch}"}`, -32600, null],
  ['a long line with its id first', `{"jsonrpc":"2.0","id":4,"text":"${tooMuch}"}`, -32600, 4],
  [
    'a long line with its id after the method',
    `{"method":"tools/call","jsonrpc":"2.0","id":"q-1","params":{"text":"${tooMuch}"}}`,
    -32600,
    'q-1',
  ],
  [
    'a long line with its id last',
    `{"method":"x","params":{"id":7,"text":"${tooMuch}"},"id":4,"jsonrpc":"2.0"}`,
    -32600,
    4,
  ],
  ['a long line with an odd id', `{"jsonrpc":"2.0","id":01,"text":"${tooMuch}"}`, -32600, null],
  ['a deep message', `{"jsonrpc":"2.0","id":4,"method":"x","params":{"a":${deep}}}`, -32600, 4],
  [
    'a version that cannot be made a text',
    '{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":{"toString":1}}}',
    -32602,
    4,
  ],
  ['a long id', `{"jsonrpc":"2.0","id":"${'x'.repeat(2000)}","method":"ping"}`, -32600, null],
])(
  '%s is answered with the right code, and the next message is served',
  async (_what, line, code, id) => {
    await using test = await openTestGateway();
    await using client = serve(test);
    expect(await client.ask(line)).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
    expect(await client.ask({ id: 5, method: 'ping' })).toMatchObject({ id: 5, result: {} });
  },
);

test('both eras are served on one wire', async () => {
  await using test = await openTestGateway();
  await using client = serve(test);
  const { body } = modernRequest('server/discover');
  expect(await client.ask(body)).toMatchObject({ result: { supportedVersions: ['2026-07-28'] } });
  const params = { protocolVersion: '2025-06-18', capabilities: {} };
  expect(await client.ask({ id: 2, method: 'initialize', params })).toMatchObject({
    result: { protocolVersion: '2025-06-18' },
  });
  expect(await client.ask({ id: 3, method: 'tools/call', params: echo })).toEqual({
    jsonrpc: '2.0',
    id: 3,
    result: { content: [{ type: 'text', text: 'hi' }] },
  });
  expect(await client.ask(modernRequest('tools/call', echo).body)).toMatchObject({
    result: { resultType: 'complete', content: [{ text: 'hi' }] },
  });
});

test('a newer version that is unknown is refused with those that are known', async () => {
  await using test = await openTestGateway();
  await using client = serve(test);
  const version = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
  const answer = await client.ask(modernRequest('server/discover', {}, version).body);
  const data = { supported: ['2026-07-28'], requested: '2099-01-01' };
  expect(answer).toMatchObject({ id: 1, error: { code: -32022, data } });
});

test('progress comes before its answer, and a cancelled call gets none', async () => {
  const cancelled = Promise.withResolvers<void>();
  const call = async ({ tool }: { tool: string }, { signal, onProgress }: CallOptions) => {
    onProgress?.({ progress: 0.5 });
    if (tool === 'echo') return textResult('done');
    signal.addEventListener('abort', () => cancelled.resolve());
    return untilAborted(signal);
  };
  const tools = [echoTool, { ...echoTool, name: 'hang' }];
  await using test = await openTestGateway({ a: { tools, call } });
  await using client = serve(test);
  const _meta = { progressToken: 7 };
  const hang = { name: 'a__hang', _meta };
  expect(await client.ask({ id: 1, method: 'tools/call', params: hang })).toMatchObject({
    method: 'notifications/progress',
    params: { progressToken: 7, progress: 0.5 },
  });
  client.tell({ method: 'notifications/cancelled', params: { requestId: 1 } });
  await cancelled.promise;
  client.tell({ id: 2, method: 'tools/call', params: { ...echo, _meta: { progressToken: 8 } } });
  expect(await client.next()).toMatchObject({ params: { progressToken: 8 } });
  expect(await client.next()).toMatchObject({ id: 2, result: { content: [{ text: 'done' }] } });
});

test('a subscription of the newer era is ended by cancelling it', async () => {
  await using test = await openTestGateway();
  await using client = serve(test);
  const params = { notifications: { toolsListChanged: true } };
  expect(await client.ask(modernRequest('subscriptions/listen', params).body)).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
  });
  const change = (name: string) =>
    test.memory.connector.latest('a').changeTools([echoTool, { ...echoTool, name }]);
  change('one');
  expect(await client.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
  client.tell({ method: 'notifications/cancelled', params: { requestId: 1 } });
  const changed = new Promise<void>((resolve) => test.gateway.onListChanged(() => resolve()));
  change('two');
  await changed;
  expect(await client.ask({ id: 9, method: 'ping' })).toMatchObject({ id: 9 });
});

test('a batch is answered as one in the revision that has them', async () => {
  await using test = await openTestGateway();
  await using client = serve(test);
  const params = { protocolVersion: '2025-03-26', capabilities: {} };
  await client.ask({ id: 1, method: 'initialize', params });
  const batch = [
    { jsonrpc: '2.0', id: 2, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ];
  expect(await client.ask(batch)).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
});

test('what was asked before the end of input is answered, and subscriptions end', async () => {
  const finish = Promise.withResolvers<void>();
  const call = async () => {
    await finish.promise;
    return textResult('late');
  };
  await using test = await openTestGateway({ a: { call } });
  const client = serve(test);
  client.tell({ id: 1, method: 'tools/call', params: echo });
  const notifications = { toolsListChanged: true };
  const { body } = modernRequest('subscriptions/listen', { notifications });
  expect(await client.ask({ ...body, id: 2 })).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
  });
  const ended = client[Symbol.asyncDispose]();
  expect(await client.next()).toMatchObject({ id: 2, result: { resultType: 'complete' } });
  finish.resolve();
  expect(await client.next()).toMatchObject({ id: 1, result: { content: [{ text: 'late' }] } });
  await ended;
});

test('answers a running call with an error when the program stops', async () => {
  const begun = Promise.withResolvers<void>();
  const call = (_call: unknown, { signal }: CallOptions) => {
    begun.resolve();
    return untilAborted(signal);
  };
  await using test = await openTestGateway({ a: { call } });
  const stopping = new AbortController();
  await using client = serve(test, stopping.signal);
  client.tell({ id: 1, method: 'tools/call', params: echo });
  await begun.promise;
  stopping.abort();
  expect(await client.next()).toMatchObject({ id: 1, error: { code: -32000 } });
});

test('stops reading from a client that does not read', async () => {
  await using test = await openTestGateway();
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: 1 });
  const served = serveOnStdio(test.gateway, { input, output });
  input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await once(input, 'pause');
  input.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
  expect(input.isPaused()).toBe(true);
  const lines: string[] = [];
  for await (const line of createInterface({ input: output })) {
    lines.push(line);
    if (lines.length === 2) break;
  }
  expect(lines).toEqual([
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":2,"result":{}}',
  ]);
  input.end();
  await served;
});

test('the session of a client begins with the prefix, from its first call on', async () => {
  await using test = await openTestGateway();
  await using client = serve(test, undefined, 'hook:c:');
  const called: string[] = [];
  test.memory.host.events.subscribe((event) => {
    if (event.kind === 'call-finished') called.push(event.request.sessionId);
  });
  await client.ask({ id: 1, method: 'tools/call', params: echo });
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'me' } };
  await client.ask({ id: 2, method: 'initialize', params });
  await client.ask({ id: 3, method: 'tools/call', params: echo });
  expect(called).toEqual([
    expect.stringMatching(/^hook:c:gateway:client:[0-9a-f]{8}$/),
    expect.stringMatching(/^hook:c:gateway:me:[0-9a-f]{8}$/),
  ]);
});

function serve(
  { gateway }: { readonly gateway: Parameters<typeof serveOnStdio>[0] },
  signal = new AbortController().signal,
  sessionPrefix = '',
) {
  const input = new PassThrough();
  const output = new PassThrough();
  const served = serveOnStdio(gateway, { input, output, signal, sessionPrefix });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const tell = (message: string | object) => {
    const isWhole = typeof message === 'string' || Array.isArray(message);
    const whole = isWhole ? message : { jsonrpc: '2.0', ...message };
    input.write(`${typeof whole === 'string' ? whole : JSON.stringify(whole)}\n`);
  };
  const next = async () => JSON.parse((await lines.next()).value as string) as unknown;
  return {
    tell,
    next,
    ask: (message: string | object) => {
      tell(message);
      return next();
    },
    [Symbol.asyncDispose]: async () => {
      input.end();
      await served;
    },
  };
}
