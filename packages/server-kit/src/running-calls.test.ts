import { expect, test } from 'vitest';
import { RunningCalls } from './running-calls.ts';

const never = new AbortController().signal;

test('reports the number of running calls whenever it changes', async () => {
  const { calls, counts } = setUp();
  await Promise.all([calls.run(never, async () => {}), calls.run(never, async () => {})]);
  expect(counts).toEqual([1, 2, 1, 0]);
});

test("passes the client's cancellation on", async () => {
  const { calls } = setUp();
  const client = new AbortController();
  const running = calls.run(client.signal, async (signal) => {
    client.abort('no longer wanted');
    return signal.reason;
  });
  expect(await running).toBe('no longer wanted');
});

test('cancels what still runs when the server must stop', async () => {
  const { calls } = setUp();
  const running = calls.run(never, untilAborted);
  calls.abort();
  expect(await running).toBe('aborted');
});

test('knows the share of unforeseen failures among the last thousand calls', () => {
  const { calls } = setUp();
  expect(calls.errorRate).toBe(0);
  calls.record('failed');
  calls.record('answered');
  expect(calls.errorRate).toBe(0.5);
  for (let i = 0; i < 1_000; i += 1) calls.record('answered');
  expect(calls.errorRate).toBe(0);
});

function setUp() {
  const counts: number[] = [];
  const calls = new RunningCalls((running) => counts.push(running));
  return { calls, counts };
}

function untilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted')));
}
