import type { CallOptions } from '@errand/host';
import { echoTool, textResult, untilAborted } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { modernRequest, openTestGateway, type TestGateway } from './testing/open-test-gateway.ts';
import { readEvents } from './testing/read-events.ts';

const another = { ...echoTool, name: 'another' };
const echo = { name: 'a__echo', arguments: { text: 'hi' } };

test('notifies an older client of changed tools on its stream', async () => {
  await using test = await openTestGateway();
  const session = await test.initialize();
  const stream = await openStream(test, session);
  test.memory.connector.latest('a').changeTools([echoTool, another]);
  const { value } = await readEvents(stream).next();
  expect(value).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
});

test('delivers a change to an older client once it listens', async () => {
  await using test = await openTestGateway();
  const session = await test.initialize();
  const changed = new Promise<void>((resolve) => test.gateway.onListChanged(() => resolve()));
  test.memory.connector.latest('a').changeTools([echoTool, another]);
  await changed;
  const { value } = await readEvents(await openStream(test, session)).next();
  expect(value).toMatchObject({ method: 'notifications/tools/list_changed' });
});

test('a stream needs a session and a client that takes events', async () => {
  await using test = await openTestGateway();
  const session = await test.initialize();
  expect((await fetch(test.url, { headers: { accept: 'text/event-stream' } })).status).toBe(400);
  const headers = { ...session, accept: 'application/json' };
  expect((await fetch(test.url, { headers })).status).toBe(406);
});

test('ending a session ends its streams and its calls', async () => {
  const cancelled = Promise.withResolvers<void>();
  await using test = await openTestGateway({ a: { call: hangs(cancelled.resolve) } });
  const session = await test.initialize();
  const stream = await openStream(test, session);
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: echo };
  const call = test.post(body, session);
  await started(test);
  await fetch(test.url, { method: 'DELETE', headers: session });
  await cancelled.promise;
  expect(await (await call).text()).toBe('');
  expect(await stream.text()).toBe('');
});

test('sends a message only on the newest of several streams, and closes the oldest', async () => {
  await using test = await openTestGateway();
  const session = await test.initialize();
  const streams = [];
  for (let index = 0; index < 5; index += 1) streams.push(await openStream(test, session));
  expect(await streams[0]?.text()).toBe('');
  test.memory.connector.latest('a').changeTools([echoTool, another]);
  const newest = readEvents(streams[4] as Response);
  expect((await newest.next()).value).toMatchObject({ method: 'notifications/tools/list_changed' });
  await fetch(test.url, { method: 'DELETE', headers: session });
  for (const stream of streams.slice(1, 4)) expect(await stream.text()).toBe('');
});

test('a newer client subscribes, is acknowledged first, and hears of changes under its id', async () => {
  await using test = await openTestGateway();
  const notifications = { toolsListChanged: true, promptsListChanged: true };
  const { body, headers } = modernRequest('subscriptions/listen', { notifications });
  const events = readEvents(await test.post(body, headers));
  const _meta = { 'io.modelcontextprotocol/subscriptionId': 1 };
  expect((await events.next()).value).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { _meta, notifications },
  });
  test.memory.connector.latest('a').changeTools([echoTool, another]);
  expect((await events.next()).value).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/tools/list_changed',
    params: { _meta },
  });
  test.gateway[Symbol.dispose]();
  expect((await events.next()).value).toMatchObject({
    id: 1,
    result: { resultType: 'complete', _meta },
  });
  expect((await events.next()).done).toBe(true);
});

test('ends a subscription to unknown things at once', async () => {
  await using test = await openTestGateway();
  const notifications = { tasksChanged: true };
  const { body, headers } = modernRequest('subscriptions/listen', { notifications });
  const messages = [];
  for await (const message of readEvents(await test.post(body, headers))) messages.push(message);
  expect(messages).toMatchObject([
    { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
    { id: 1, result: { resultType: 'complete' } },
  ]);
});

test('a subscription must say to what', async () => {
  await using test = await openTestGateway();
  const { body, headers } = modernRequest('subscriptions/listen');
  const response = await test.post(body, headers);
  expect(await response.json()).toMatchObject({ id: 1, error: { code: -32602 } });
});

test('progress turns an answer into a stream, and only when it was asked for', async () => {
  const call = async (_call: unknown, { onProgress }: CallOptions) => {
    onProgress?.({ progress: 1, total: 2 });
    return textResult('done');
  };
  await using test = await openTestGateway({ a: { call } });
  const { body, headers } = modernRequest('tools/call', echo, { progressToken: 't' });
  const messages = [];
  for await (const message of readEvents(await test.post(body, headers))) messages.push(message);
  expect(messages).toMatchObject([
    { method: 'notifications/progress', params: { progressToken: 't', progress: 1, total: 2 } },
    { id: 1, result: { content: [{ text: 'done' }] } },
  ]);
  const plain = modernRequest('tools/call', echo);
  const response = await test.post(plain.body, plain.headers);
  expect(response.headers.get('content-type')).toBe('application/json');
});

test('a client that takes no events gets the answer without the progress', async () => {
  const call = async (_call: unknown, { onProgress }: CallOptions) => {
    onProgress?.({ progress: 1 });
    return textResult('done');
  };
  await using test = await openTestGateway({ a: { call } });
  const { body, headers } = modernRequest('tools/call', echo, { progressToken: 't' });
  const response = await test.post(body, { ...headers, accept: 'application/json' });
  expect(await response.json()).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } });
});

test('sends keep-alives to a client that waits long', async () => {
  const finish = Promise.withResolvers<void>();
  const call = () => finish.promise.then(() => textResult('late'));
  await using test = await openTestGateway({ a: { call } }, { keepAliveMs: 10 });
  const { body, headers } = modernRequest('tools/call', echo);
  const events = readEvents(await test.post(body, headers));
  expect((await events.next()).value).toBe(': waiting');
  finish.resolve();
  const rest = [];
  for await (const message of events) rest.push(message);
  expect(rest.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'late' }] } });
});

test('a client that hangs up cancels its call, in both eras', async () => {
  const cancelled = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  let count = 0;
  const call = (_call: unknown, { signal }: CallOptions) => {
    const index = count;
    count += 1;
    signal.addEventListener('abort', () => cancelled[index]?.resolve());
    return untilAborted(signal);
  };
  await using test = await openTestGateway({ a: { call } });
  const session = await test.initialize();
  const older = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: echo };
  const { body, headers } = modernRequest('tools/call', echo);
  for (const [index, [message, extra]] of [
    [older, session] as const,
    [body, headers] as const,
  ].entries()) {
    const hangUp = new AbortController();
    const request = fetch(test.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: '*/*', ...extra },
      body: JSON.stringify(message),
      signal: hangUp.signal,
    });
    request.catch(() => {});
    await started(test, index + 1);
    hangUp.abort();
    await cancelled[index]?.promise;
  }
});

test('an older client cancels by a notification and gets no answer', async () => {
  const cancelled = Promise.withResolvers<void>();
  await using test = await openTestGateway({ a: { call: hangs(cancelled.resolve) } });
  const session = await test.initialize();
  const other = await test.initialize();
  const body = { jsonrpc: '2.0', id: 'x', method: 'tools/call', params: echo };
  const call = test.post(body, session);
  await started(test);
  const method = 'notifications/cancelled';
  const cancel = { jsonrpc: '2.0', method, params: { requestId: 'x', reason: 'enough' } };
  await test.post(cancel, other);
  expect(test.memory.host.tracker.activeExecutions.size).toBe(1);
  await test.post(cancel, session);
  await cancelled.promise;
  expect(await (await call).text()).toBe('');
});

function openStream({ url }: TestGateway, session: Record<string, string>): Promise<Response> {
  return fetch(url, { headers: { ...session, accept: 'text/event-stream' } });
}

function hangs(onCancelled: () => void) {
  return (_call: unknown, { signal }: CallOptions) => {
    signal.addEventListener('abort', onCancelled);
    return untilAborted(signal);
  };
}

/** Waits until so many calls have reached their server. */
function started({ memory }: TestGateway, count = 1): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (memory.host.tracker.totalExecuted >= count) resolve();
    };
    memory.host.events.subscribe(look);
    look();
  });
}
