import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { LineCalls } from './line-calls.ts';

type Sent = JSONRPCMessage & { id: number; method: string; params: Record<string, unknown> };

const { signal } = new AbortController();

test('resolves each request with its own result, as it came', async () => {
  const { calls, sent, answer } = lane();
  const first = calls.request('tools/call', { name: 'a' }, { signal });
  const second = calls.request('tools/call', { name: 'b' }, { signal });
  expect(sent.map(({ method, params }) => [method, params])).toEqual([
    ['tools/call', { name: 'a' }],
    ['tools/call', { name: 'b' }],
  ]);
  answer(1, { result: { content: 'anything', resultType: 'odd' } });
  answer(0, { result: { content: [] } });
  expect(await first).toEqual({ content: [] });
  expect(await second).toEqual({ content: 'anything', resultType: 'odd' });
});

test('rejects with the error that the server gave', async () => {
  const { calls, answer } = lane();
  const call = calls.request('tools/call', {}, { signal });
  answer(0, { error: { code: -32602, message: 'no', data: { why: 1 } } });
  await expect(call).rejects.toMatchObject({ code: -32602, message: 'no', data: { why: 1 } });
});

test.each([{}, { error: null }, { error: 5 }, { error: { code: 'x' } }])(
  'rejects when the answer is %j',
  async (outcome) => {
    const { calls, answer } = lane();
    const call = calls.request('tools/call', {}, { signal });
    answer(0, outcome);
    await expect(call).rejects.toMatchObject({ code: -32603, message: 'It did not say why.' });
  },
);

test('takes a result that is no object for an empty one', async () => {
  const { calls, answer } = lane();
  const call = calls.request('tools/call', {}, { signal });
  answer(0, { result: null });
  expect(await call).toEqual({});
});

test('receives progress until the answer', async () => {
  const { calls, sent, answer, progress } = lane();
  const steps: unknown[] = [];
  const onProgress = (step: unknown) => steps.push(step);
  const params = { name: 'a', _meta: { mine: 1 } };
  const call = calls.request('tools/call', params, { signal, onProgress });
  const id = sent[0]?.id;
  expect(sent[0]?.params).toEqual({ name: 'a', _meta: { mine: 1, progressToken: id } });
  expect(progress(id, 1)).toBe(true);
  answer(0, { result: {} });
  await call;
  expect(progress(id, 2)).toBe(true);
  expect(steps).toEqual([{ progress: 1 }]);
});

test('ignores malformed progress', async () => {
  const { calls, sent, answer } = lane();
  const steps: unknown[] = [];
  const onProgress = (step: unknown) => steps.push(step);
  const call = calls.request('tools/call', {}, { signal, onProgress });
  const progressToken = sent[0]?.id;
  const tell = (params: object) =>
    calls.take({ jsonrpc: '2.0', method: 'notifications/progress', params } as JSONRPCMessage);
  tell({ progressToken, progress: 'much' });
  tell({ progressToken, progress: 1, total: {}, message: [[]] });
  tell({ progressToken: `${progressToken}`, progress: 2, message: 'two', more: 1 });
  expect(tell({ progressToken: { toString: 1 }, progress: 3 })).toBe(true);
  expect(tell({ progressToken: null, progress: 4 })).toBe(true);
  answer(0, { result: {} });
  await call;
  expect(steps).toEqual([{ progress: 1 }, { progress: 2, message: 'two' }]);
});

test('notifies the server of a cancellation, and ignores a later answer', async () => {
  const { calls, sent, answer } = lane();
  const stop = new AbortController();
  const call = calls.request('tools/call', {}, { signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  expect(sent[1]).toMatchObject({
    method: 'notifications/cancelled',
    params: { requestId: sent[0]?.id, reason: 'enough' },
  });
  expect(answer(0, { result: {} })).toBe(true);
  expect(() => calls.request('tools/call', {}, { signal: stop.signal })).toThrow('enough');
  expect(sent).toHaveLength(2);
});

test('ends what waits with the connection', async () => {
  const { calls } = lane();
  const call = calls.request('tools/call', {}, { signal });
  calls.close();
  await expect(call).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
});

test('rejects what could not be sent', async () => {
  const send = () => Promise.reject(new Error('broken pipe'));
  const calls = new LineCalls({ send, sendTogether: send });
  await expect(calls.request('ping', {}, { signal })).rejects.toThrow('broken pipe');
});

test('leaves other messages to the SDK', () => {
  const { calls, progress } = lane();
  for (const message of [
    { jsonrpc: '2.0', id: 0, result: {} },
    { jsonrpc: '2.0', id: 'abc', result: {} },
    { jsonrpc: '2.0', id: 1, method: 'roots/list' },
    { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
  ] as const) {
    expect(calls.take(message)).toBe(false);
  }
  expect(progress(3, 1)).toBe(false);
});

function lane() {
  const sent: Sent[] = [];
  const send = async (message: object) => {
    sent.push(message as Sent);
  };
  const calls = new LineCalls({ send, sendTogether: send });
  return {
    calls,
    sent,
    answer: (index: number, outcome: object) =>
      calls.take({ jsonrpc: '2.0', id: sent[index]?.id, ...outcome } as JSONRPCMessage),
    progress: (progressToken: unknown, progress: number) =>
      calls.take({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress },
      } as JSONRPCMessage),
  };
}
