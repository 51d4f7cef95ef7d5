import { setTimeout as later } from 'node:timers/promises';
import { localServer, textResult, untilAborted } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { call, lastSent, openTurnFixture, readTool, writeTool } from '../testing/turn-fixture.ts';
import type { Approver } from './approval.ts';
import type { ConversationEvent } from './conversation-event.ts';

test('makes the model answer after ten rounds of tools', async () => {
  let answers = 0;
  await using fixture = await openTurnFixture({
    servers: [localServer('a')],
    behaviours: {
      a: { tools: [readTool('next')], call: async () => textResult(`answer ${++answers}`) },
    },
  });
  fixture.model.always({ calls: [call('a__next')] });
  const end = await fixture.ask();
  expect(end).toMatchObject({ state: 'rounds', calls: 10, rounds: 11 });
  expect(end.message).toContain('ten rounds');
  expect(answers).toBe(10);
});

test('ends the turn after the same call gave the same answer three times', async () => {
  await using fixture = await openTurnFixture({
    servers: [localServer('a')],
    behaviours: { a: { tools: [readTool('next')], call: async () => textResult('the same') } },
  });
  fixture.model.always({ calls: [call('a__next')] });
  const end = await fixture.ask();
  expect(end).toMatchObject({ state: 'repeated', calls: 3 });
  expect(fixture.model.requests).toHaveLength(3);
});

test('continues when the same call gives different answers', async () => {
  let answers = 0;
  const step = { calls: [call('a__next')] };
  await using fixture = await openTurnFixture({
    script: [step, step, step, step, { text: ['Done.'] }],
    servers: [localServer('a')],
    behaviours: {
      a: { tools: [readTool('next')], call: async () => textResult(`${++answers}`) },
    },
  });
  expect(await fixture.ask()).toMatchObject({ state: 'answered', calls: 4 });
});

test('parallel calls keep to the limits of the executor, and the session to its own', async () => {
  let running = 0;
  let most = 0;
  await using fixture = await openTurnFixture({
    script: [
      { calls: ['1', '2', '3', '4', '5', '6'].map((city) => call('a__slow', { city })) },
      { text: ['Done.'] },
    ],
    servers: [localServer('a')],
    settings: { mcpConcurrentLimit: 2, mcpSessionLimit: 4 },
    behaviours: {
      a: {
        tools: [readTool('slow')],
        call: async () => {
          running += 1;
          most = Math.max(most, running);
          await later(5);
          running -= 1;
          return textResult('ok');
        },
      },
    },
  });
  expect(await fixture.ask()).toMatchObject({ state: 'answered', calls: 6 });
  expect(most).toBe(2);
  const codes = fixture.outcomes().map((one) => (one.status === 'success' ? 'ok' : one.error.code));
  expect(codes.toSorted()).toEqual(['ok', 'ok', 'ok', 'ok', 'session_limit', 'session_limit']);
  expect(lastSent(fixture)).toContain('Session execution limit reached (4)');
});

test('closes the connection and keeps the text received so far when cancelled while streaming', async () => {
  const hold = Promise.withResolvers<void>();
  await using fixture = await openTurnFixture({
    script: [{ text: ['One ', 'two'], hold: hold.promise }],
  });
  const stopping = new AbortController();
  const hungUp = fixture.model.hungUp();
  const end = await fixture.ask({
    signal: stopping.signal,
    onEvent: ({ kind }) => kind === 'text-added' && stopping.abort(),
  });
  expect(end).toMatchObject({ state: 'cancelled', text: 'One ' });
  await hungUp;
  hold.resolve();
});

test('cancels a running call at its server', async () => {
  const cancelled = Promise.withResolvers<void>();
  await using fixture = await openTurnFixture({
    script: [{ calls: [call('a__slow')] }],
    servers: [localServer('a')],
    behaviours: {
      a: {
        tools: [readTool('slow')],
        call: (_call, { signal }) => untilAborted(signal).finally(() => cancelled.resolve()),
      },
    },
  });
  const stopping = new AbortController();
  const end = await fixture.ask({
    signal: stopping.signal,
    onEvent: ({ kind }) => kind === 'call-started' && stopping.abort(),
  });
  expect(end).toMatchObject({ state: 'cancelled' });
  await cancelled.promise;
  expect(fixture.memory.log.records.map(({ tool, status }) => [tool, status])).toEqual([
    ['scripted', 'success'],
    ['slow', 'cancelled'],
  ]);
});

test('cancelling while a person is asked makes no call', async () => {
  const calls: string[] = [];
  await using fixture = await openTurnFixture({
    script: [{ calls: [call('a__write')] }],
    servers: [localServer('a')],
    behaviours: {
      a: { tools: [writeTool], call: async ({ tool }) => textResult(String(calls.push(tool))) },
    },
  });
  const stopping = new AbortController();
  const approver: Approver = {
    approve: (_question, signal) => {
      stopping.abort();
      return untilAborted(signal);
    },
  };
  expect(await fixture.ask({ signal: stopping.signal, approver })).toMatchObject({
    state: 'cancelled',
  });
  expect(calls).toEqual([]);
});

test('says that there is no answer when cancelled before one came', async () => {
  const stopping = new AbortController();
  await using fixture = await openTurnFixture({
    script: [
      () => {
        stopping.abort();
        return { text: ['Late.'] };
      },
    ],
    servers: [],
  });
  expect(await fixture.ask({ signal: stopping.signal })).toMatchObject({
    ...{ state: 'cancelled', message: 'Stopped before an answer came.', text: '' },
  });
});

test('stopping all calls ends the turn', async () => {
  await using fixture = await openTurnFixture({
    script: [{ calls: [call('a__slow')] }],
    servers: [localServer('a')],
    behaviours: {
      a: { tools: [readTool('slow')], call: (_call, { signal }) => untilAborted(signal) },
    },
  });
  const onEvent = ({ kind }: ConversationEvent) =>
    kind === 'call-started' && fixture.memory.host.stop();
  const end = await fixture.ask({ onEvent: (event) => void onEvent(event) });
  expect(end).toMatchObject({ state: 'cancelled', message: 'Execution stopped by user' });
});

test('closes the connection when all calls are stopped while streaming', async () => {
  const never = new Promise<void>(() => {});
  await using fixture = await openTurnFixture({ script: [{ text: ['One ', 'two'], hold: never }] });
  const hungUp = fixture.model.hungUp();
  const end = await fixture.ask({
    onEvent: ({ kind }) => kind === 'text-added' && fixture.memory.host.stop(),
  });
  expect(end).toMatchObject({
    state: 'cancelled',
    text: 'One ',
    message: 'Execution stopped by user',
  });
  await hungUp;
});
