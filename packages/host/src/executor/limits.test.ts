import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { settled } from '../testing/manual-clock.ts';
import { textResult, untilAborted } from '../testing/memory-connector.ts';
import { type MemoryHost, memoryHost, request } from '../testing/memory-host.ts';
import { canExecute } from './execution-tracker.ts';

/** A host whose calls run until the test lets them go. */
async function gatedHost(settings: Parameters<typeof memoryHost>[1]) {
  const fixture = await memoryHost([localServer('a')], { mcpSessionLimit: -1, ...settings });
  const running: { text: unknown; finish: () => void; signal: AbortSignal }[] = [];
  fixture.connector.behaviours.set('a', {
    call: ({ arguments: { text } }, { signal }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      running.push({ text, finish: resolve, signal });
      return Promise.race([promise, untilAborted(signal)]).then(() => textResult('ok'));
    },
  });
  return { ...fixture, running };
}

function start(fixture: MemoryHost, count: number, change: Parameters<typeof request>[0] = {}) {
  return Array.from({ length: count }, () => fixture.host.execute(request(change)));
}

test('makes one of 26 calls wait at a limit of 25, and fails none', async () => {
  const fixture = await gatedHost({ mcpConcurrentLimit: 25 });
  const calls = start(fixture, 26);
  await settled();
  expect(fixture.running).toHaveLength(25);
  expect(fixture.host.tracker.activeExecutions.size).toBe(25);
  expect(canExecute(fixture.host.tracker)).toBe(false);
  fixture.running[0]?.finish();
  await settled();
  expect(fixture.running).toHaveLength(26);
  for (const call of fixture.running) call.finish();
  const outcomes = await Promise.all(calls);
  expect(outcomes.every(({ status }) => status === 'success')).toBe(true);
  await fixture[Symbol.asyncDispose]();
});

test('-1 lifts both limits', async () => {
  const fixture = await gatedHost({ mcpConcurrentLimit: -1, mcpSessionLimit: -1 });
  const calls = start(fixture, 500);
  await settled();
  expect(fixture.running).toHaveLength(500);
  for (const call of fixture.running) call.finish();
  await Promise.all(calls);
  await fixture[Symbol.asyncDispose]();
});

test('admits waiting calls at once when the limit is raised', async () => {
  const fixture = await gatedHost({ mcpConcurrentLimit: 1 });
  start(fixture, 3);
  await settled();
  expect(fixture.running).toHaveLength(1);
  await fixture.change({ mcpConcurrentLimit: 2 });
  expect(fixture.running).toHaveLength(2);
  await fixture[Symbol.asyncDispose]();
});

test('stop ends running and queued calls at once, tells the servers, and refuses until resumed', async () => {
  const fixture = await gatedHost({ mcpConcurrentLimit: 5 });
  const calls = start(fixture, 20);
  await settled();
  fixture.host.stop();
  const outcomes = await Promise.all(calls);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({
      status: 'cancelled',
      error: { code: 'stopped', message: 'Execution stopped by user' },
    });
  }
  expect(fixture.running.map(({ signal }) => signal.aborted)).toEqual(Array(5).fill(true));
  const [refused] = await Promise.all(start(fixture, 1));
  expect(refused).toMatchObject({ error: { code: 'stopped' } });
  expect(fixture.running).toHaveLength(5);
  expect(fixture.host.tracker.stopped).toBe(true);

  fixture.host.resume();
  const again = start(fixture, 1);
  await settled();
  fixture.running[5]?.finish();
  expect(await again[0]).toMatchObject({ status: 'success' });
  await fixture[Symbol.asyncDispose]();
});

test('leaks nothing of a thousand calls that were queued and cancelled', async () => {
  const fixture = await gatedHost({ mcpConcurrentLimit: 1 });
  start(fixture, 1);
  await settled();
  const sleepersBefore = fixture.clock.sleepers;
  const controller = new AbortController();
  const calls = Array.from({ length: 1000 }, (_, i) =>
    fixture.host.execute(request({ sessionId: `s${i % 7}` }), { signal: controller.signal }),
  );
  await settled();
  controller.abort();
  const outcomes = await Promise.all(calls);
  expect(outcomes.every(({ status }) => status === 'cancelled')).toBe(true);
  expect(fixture.running).toHaveLength(1);
  expect(fixture.clock.sleepers).toBe(sleepersBefore);
  expect(fixture.host.tracker.activeExecutions.size).toBe(1);
  expect(fixture.host.sessions.usage('s0').executed).toBe(0);

  const next = start(fixture, 1);
  fixture.running[0]?.finish();
  await settled();
  fixture.running[1]?.finish();
  expect(await next[0]).toMatchObject({ status: 'success' });
  await fixture[Symbol.asyncDispose]();
});

test('serves people before models and hooks, and sessions in turn', async () => {
  const fixture = await gatedHost({ mcpConcurrentLimit: 1 });
  start(fixture, 1, { parameters: { text: 'first' } });
  await settled();
  const call = (sessionId: string, source: 'command' | 'ai-autonomous' | 'hook') =>
    fixture.host.execute(request({ sessionId, source, parameters: { text: sessionId } }));
  for (let i = 0; i < 3; i += 1) void call('model', 'ai-autonomous');
  void call('hook', 'hook');
  for (let i = 0; i < 3; i += 1) void call('long run', 'command');
  await settled();
  void call('single', 'command');
  for (let i = 0; i < 9; i += 1) {
    await settled();
    fixture.running[i]?.finish();
  }
  await settled();
  expect(fixture.running.map(({ text }) => text)).toEqual([
    'first',
    'long run',
    'single',
    'long run',
    'long run',
    'model',
    'hook',
    'model',
    'model',
  ]);
  await fixture[Symbol.asyncDispose]();
});

test('warns at 80 % of a session’s limit, refuses beyond it, and continues after a reset', async () => {
  await using fixture = await memoryHost([localServer('a')], { mcpSessionLimit: 5 });
  const { host, notices } = fixture;
  for (let i = 0; i < 3; i += 1) await host.execute(request());
  expect(notices).toEqual([]);
  for (let i = 0; i < 2; i += 1) await host.execute(request());
  expect(notices).toMatchObject([
    { level: 'warning', message: '4 of 5 calls of this session are used' },
  ]);
  expect(await host.execute(request())).toMatchObject({
    status: 'error',
    error: {
      code: 'session_limit',
      message: expect.stringMatching(/^Session execution limit reached \(5\)/),
    },
  });
  expect(await host.execute(request({ sessionId: 'other' }))).toMatchObject({ status: 'success' });
  host.sessions.reset('session');
  expect(await host.execute(request())).toMatchObject({ status: 'success' });
});

test('calls that are only queued count against the session limit', async () => {
  const fixture = await gatedHost({ mcpConcurrentLimit: 1, mcpSessionLimit: 3 });
  const calls = start(fixture, 4);
  await settled();
  expect(await calls[3]).toMatchObject({ error: { code: 'session_limit' } });
  await fixture[Symbol.asyncDispose]();
});

test('a run that a person agreed to has its own limit, and no warning', async () => {
  await using fixture = await memoryHost([localServer('a')], { mcpSessionLimit: 2 });
  fixture.host.sessions.setLimit('session', 4);
  for (let i = 0; i < 4; i += 1) {
    expect(await fixture.host.execute(request())).toMatchObject({ status: 'success' });
  }
  expect(await fixture.host.execute(request())).toMatchObject({ error: { code: 'session_limit' } });
  expect(fixture.notices).toEqual([]);
});

test('ends only the cancelled call and notifies its server', async () => {
  const fixture = await gatedHost({});
  const [first, second] = [request(), request()];
  const calls = [fixture.host.execute(first), fixture.host.execute(second)];
  await settled();
  fixture.host.cancel(first.id);
  expect(await calls[0]).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } });
  expect(fixture.running.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  fixture.running[1]?.finish();
  expect(await calls[1]).toMatchObject({ status: 'success' });
  await fixture[Symbol.asyncDispose]();
});

test('keeps counting for a session with another id', async () => {
  const fixture = await gatedHost({ mcpSessionLimit: 2 });
  const first = fixture.host.execute(request({ sessionId: 'note:a' }));
  await settled();
  fixture.host.sessions.rename('note:a', 'note:b');
  fixture.running[0]?.finish();
  await first;
  expect(fixture.host.sessions.usage('note:b').executed).toBe(1);
  expect(fixture.host.sessions.usage('note:a').executed).toBe(0);
  await fixture[Symbol.asyncDispose]();
});
