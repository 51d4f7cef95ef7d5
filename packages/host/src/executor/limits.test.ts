import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { settled } from '../testing/manual-clock.ts';
import { textResult, untilAborted } from '../testing/memory-connector.ts';
import { type MemoryHost, memoryHost, request } from '../testing/memory-host.ts';
import { canExecute } from './execution-tracker.ts';

/** A host whose calls run until the test lets them go. */
async function gatedHost(settings: Parameters<typeof memoryHost>[1]) {
  const world = await memoryHost([localServer('a')], { mcpSessionLimit: -1, ...settings });
  const running: { text: unknown; finish: () => void; signal: AbortSignal }[] = [];
  world.connector.behaviours.set('a', {
    call: ({ arguments: { text } }, { signal }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      running.push({ text, finish: resolve, signal });
      return Promise.race([promise, untilAborted(signal)]).then(() => textResult('ok'));
    },
  });
  return { ...world, running };
}

function start(world: MemoryHost, count: number, change: Parameters<typeof request>[0] = {}) {
  return Array.from({ length: count }, () => world.host.execute(request(change)));
}

test('26 calls at a limit of 25: one waits, none fails', async () => {
  const world = await gatedHost({ mcpConcurrentLimit: 25 });
  const calls = start(world, 26);
  await settled();
  expect(world.running).toHaveLength(25);
  expect(world.host.tracker.activeExecutions.size).toBe(25);
  expect(canExecute(world.host.tracker)).toBe(false);
  world.running[0]?.finish();
  await settled();
  expect(world.running).toHaveLength(26);
  for (const call of world.running) call.finish();
  const outcomes = await Promise.all(calls);
  expect(outcomes.every(({ status }) => status === 'success')).toBe(true);
  await world[Symbol.asyncDispose]();
});

test('-1 lifts both limits', async () => {
  const world = await gatedHost({ mcpConcurrentLimit: -1, mcpSessionLimit: -1 });
  const calls = start(world, 500);
  await settled();
  expect(world.running).toHaveLength(500);
  for (const call of world.running) call.finish();
  await Promise.all(calls);
  await world[Symbol.asyncDispose]();
});

test('a raised limit admits at once who waits', async () => {
  const world = await gatedHost({ mcpConcurrentLimit: 1 });
  start(world, 3);
  await settled();
  expect(world.running).toHaveLength(1);
  await world.change({ mcpConcurrentLimit: 2 });
  expect(world.running).toHaveLength(2);
  await world[Symbol.asyncDispose]();
});

test('stop ends running and queued calls at once, tells the servers, and refuses until resumed', async () => {
  const world = await gatedHost({ mcpConcurrentLimit: 5 });
  const calls = start(world, 20);
  await settled();
  const before = performance.now();
  world.host.stop();
  const outcomes = await Promise.all(calls);
  expect(performance.now() - before).toBeLessThan(200);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({
      status: 'cancelled',
      error: { code: 'stopped', message: 'Execution stopped by user' },
    });
  }
  expect(world.running.map(({ signal }) => signal.aborted)).toEqual(Array(5).fill(true));
  const [refused] = await Promise.all(start(world, 1));
  expect(refused).toMatchObject({ error: { code: 'stopped' } });
  expect(world.running).toHaveLength(5);
  expect(world.host.tracker.stopped).toBe(true);

  world.host.resume();
  const again = start(world, 1);
  await settled();
  world.running[5]?.finish();
  expect(await again[0]).toMatchObject({ status: 'success' });
  await world[Symbol.asyncDispose]();
});

test('a thousand calls queued and cancelled leave nothing behind', async () => {
  const world = await gatedHost({ mcpConcurrentLimit: 1 });
  start(world, 1);
  await settled();
  const sleepersBefore = world.clock.sleepers;
  const ending = new AbortController();
  const calls = Array.from({ length: 1000 }, (_, i) =>
    world.host.execute(request({ sessionId: `s${i % 7}` }), { signal: ending.signal }),
  );
  await settled();
  ending.abort();
  const outcomes = await Promise.all(calls);
  expect(outcomes.every(({ status }) => status === 'cancelled')).toBe(true);
  expect(world.running).toHaveLength(1);
  expect(world.clock.sleepers).toBe(sleepersBefore);
  expect(world.host.tracker.activeExecutions.size).toBe(1);
  expect(world.host.sessions.usage('s0').executed).toBe(0);

  const next = start(world, 1);
  world.running[0]?.finish();
  await settled();
  world.running[1]?.finish();
  expect(await next[0]).toMatchObject({ status: 'success' });
  await world[Symbol.asyncDispose]();
});

test('people come before models and hooks, and sessions take turns', async () => {
  const world = await gatedHost({ mcpConcurrentLimit: 1 });
  start(world, 1, { parameters: { text: 'first' } });
  await settled();
  const wish = (sessionId: string, source: 'command' | 'ai-autonomous' | 'hook') =>
    world.host.execute(request({ sessionId, source, parameters: { text: sessionId } }));
  for (let i = 0; i < 3; i += 1) void wish('model', 'ai-autonomous');
  void wish('hook', 'hook');
  for (let i = 0; i < 3; i += 1) void wish('long run', 'command');
  await settled();
  void wish('single', 'command');
  for (let i = 0; i < 9; i += 1) {
    await settled();
    world.running[i]?.finish();
  }
  await settled();
  expect(world.running.map(({ text }) => text)).toEqual([
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
  await world[Symbol.asyncDispose]();
});

test('a session warns at 80 %, refuses beyond its limit, and goes on after a reset', async () => {
  await using world = await memoryHost([localServer('a')], { mcpSessionLimit: 5 });
  const { host, notices } = world;
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
  const world = await gatedHost({ mcpConcurrentLimit: 1, mcpSessionLimit: 3 });
  const calls = start(world, 4);
  await settled();
  expect(await calls[3]).toMatchObject({ error: { code: 'session_limit' } });
  await world[Symbol.asyncDispose]();
});

test('a run that a person agreed to has its own limit, and no warning', async () => {
  await using world = await memoryHost([localServer('a')], { mcpSessionLimit: 2 });
  world.host.sessions.setLimit('session', 4);
  for (let i = 0; i < 4; i += 1) {
    expect(await world.host.execute(request())).toMatchObject({ status: 'success' });
  }
  expect(await world.host.execute(request())).toMatchObject({ error: { code: 'session_limit' } });
  expect(world.notices).toEqual([]);
});

test('a cancelled call ends alone, and its server is told', async () => {
  const world = await gatedHost({});
  const [first, second] = [request(), request()];
  const calls = [world.host.execute(first), world.host.execute(second)];
  await settled();
  world.host.cancel(first.id);
  expect(await calls[0]).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } });
  expect(world.running.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  world.running[1]?.finish();
  expect(await calls[1]).toMatchObject({ status: 'success' });
  await world[Symbol.asyncDispose]();
});

test('a session with another id goes on counting', async () => {
  const world = await gatedHost({ mcpSessionLimit: 2 });
  const first = world.host.execute(request({ sessionId: 'note:a' }));
  await settled();
  world.host.sessions.rename('note:a', 'note:b');
  world.running[0]?.finish();
  await first;
  expect(world.host.sessions.usage('note:b').executed).toBe(1);
  expect(world.host.sessions.usage('note:a').executed).toBe(0);
  await world[Symbol.asyncDispose]();
});
