import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { Session } from '../sessions.ts';
import { silent } from '../testing/silent.ts';
import { Conversation } from './conversation.ts';

const handshake = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { roots: {} },
    clientInfo: { name: 'test', version: '1' },
  },
};
const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

test('wants initialize before anything but ping', () => {
  const { refusal, accepts } = begin();
  expect(refusal({ method: 'tools/list' })).toMatchObject({
    code: -32_600,
    message: 'Send initialize before tools/list.',
  });
  expect(accepts({ method: 'ping' })).toBe(true);
  expect(accepts(handshake)).toBe(true);
  expect(accepts({ method: 'tools/list' })).toBe(true);
});

test('lets a request come first that names its revision', () => {
  const { accepts } = begin();
  expect(accepts({ method: 'tools/list', params: { _meta: modern } })).toBe(true);
});

test('is initialized once', () => {
  const { refusal, accepts } = begin();
  accepts(handshake);
  expect(refusal(handshake)).toMatchObject({ code: -32_600 });
});

test('can be initialized again when the handshake failed', () => {
  const { accepts, conversation } = begin();
  accepts({ ...handshake, id: 1 });
  conversation.sent({ jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'no' } });
  expect(conversation.isInitialized).toBe(false);
  expect(accepts({ ...handshake, id: 2 })).toBe(true);
});

test("keeps the client's capabilities in its session", () => {
  const { accepts, session } = begin();
  accepts(handshake);
  expect(session.capabilities).toEqual({ roots: {} });
  accepts({ method: 'tools/list' });
  expect(session.capabilities).toEqual({ roots: {} });
});

test('keeps the capabilities that the last request of 2026-07-28 named', () => {
  const { accepts, session } = begin();
  const _meta = { ...modern, 'io.modelcontextprotocol/clientCapabilities': { sampling: {} } };
  accepts({ method: 'tools/list', params: { _meta } });
  expect(session.capabilities).toEqual({ sampling: {} });
});

test('refuses an id that still waits, and takes it again when it was answered or cancelled', () => {
  const { refusal, accepts, conversation } = begin();
  const call = { id: 'x', method: 'ping' };
  accepts(call);
  expect(refusal(call)).toMatchObject({ code: -32_600, message: 'The id "x" is already in use.' });
  conversation.sent({ jsonrpc: '2.0', id: 'x', result: {} });
  expect(accepts(call)).toBe(true);
  const cancel = { method: 'notifications/cancelled', params: { requestId: 'x' } };
  expect(conversation.accept({ jsonrpc: '2.0', ...cancel }).cancelled).toEqual(['x']);
  expect(accepts(call)).toBe(true);
});

test('holds a thousand unanswered requests and refuses the next', () => {
  const { refusal, accepts } = begin();
  for (let id = 1; id <= 1_000; id += 1) expect(accepts({ id, method: 'ping' })).toBe(true);
  expect(refusal({ id: 1_001, method: 'ping' })).toMatchObject({ code: -32_000 });
});

test.each([
  [{ method: 'initialize', params: { protocolVersion: 5 } }, 'params.protocolVersion'],
  [{ method: 'tools/call', params: { name: 5 } }, 'params.name'],
  [{ method: 'tools/call', params: { name: 'x', arguments: [] } }, 'params.arguments'],
  [{ method: 'tools/list', params: { cursor: 5 } }, 'params.cursor'],
  [{ method: 'resources/read' }, 'params'],
  [{ method: 'ping', params: { _meta: { progressToken: [] } } }, 'params._meta.progressToken'],
  [{ method: 'logging/setLevel', params: { level: 'loud' } }, 'params.level'],
  [{ method: 'completion/complete', params: { ref: {} } }, 'params.ref'],
])('names the parameter that is wrong in %j', (message, path) => {
  const { refusal, accepts } = begin();
  if (message.method !== 'initialize') accepts(handshake);
  expect(refusal(message)).toMatchObject({
    code: -32_602,
    message: expect.stringContaining(`Invalid parameters of ${message.method}. ${path}: `),
  });
});

test('accepts parameters that are nested very deeply', () => {
  const depth = 100_000;
  const deep: unknown = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  const capabilities = { experimental: { deep: { deep } } };
  const { accepts } = begin();
  expect(accepts({ ...handshake, params: { ...handshake.params, capabilities } })).toBe(true);
});

test('takes batches in the revisions that have them, and in no other', () => {
  const batch = [
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: 2, method: 5 },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ];
  const old = begin('2025-03-26');
  expect(old.conversation.accept(batch)).toMatchObject({
    isBatch: true,
    messages: [{ id: 1 }, { method: 'notifications/initialized' }],
    replies: [{ id: 2, error: { code: -32_600 } }],
  });
  expect(old.conversation.accept([]).replies).toMatchObject([{ id: null }]);
  expect(old.conversation.accept(Array(101).fill(batch[0])).messages).toEqual([]);
  const current = begin('2025-06-18').conversation.accept(batch);
  expect(current).toMatchObject({
    messages: [],
    replies: [{ id: null, error: { code: -32_600 } }],
  });
});

test('takes no new request while the server stops, but answers to its own', () => {
  const { refusal, conversation, session } = begin('2025-11-25');
  session.isStopping = true;
  expect(refusal({ method: 'tools/list' })).toMatchObject({ message: 'This server is stopping.' });
  const answer = { jsonrpc: '2.0', id: 0, result: {} };
  expect(conversation.accept(answer).messages).toEqual([answer]);
});

function begin(initializedFor?: string) {
  const session = new Session({ transport: 'stdio', now: () => 0, drop() {}, log: silent });
  const conversation = new Conversation(session);
  let next = 10_000;
  const accept = (message: object) => {
    next += 1;
    return conversation.accept({ jsonrpc: '2.0', id: next, ...message });
  };
  const accepts = (message: object) => accept(message).messages.length === 1;
  const refusal = (message: object) => accept(message).replies[0]?.error;
  if (initializedFor !== undefined) {
    accepts({ ...handshake, id: 0 });
    const result = { protocolVersion: initializedFor };
    conversation.sent({ jsonrpc: '2.0', id: 0, result } as JSONRPCMessage);
  }
  return { conversation, session, accepts, refusal };
}
