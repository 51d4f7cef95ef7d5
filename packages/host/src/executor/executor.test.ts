import { expect, test, vi } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { settled } from '../testing/manual-clock.ts';
import { textResult, untilAborted } from '../testing/memory-connector.ts';
import { memoryHost, request } from '../testing/memory-host.ts';
import type { CallState } from './running-call.ts';

test('a failure that the tool reports is an outcome with the answer', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  fixture.connector.behaviours.set('a', {
    call: async () => ({ ...textResult('no such city'), isError: true }),
  });
  expect(await fixture.host.execute(request())).toMatchObject({
    status: 'error',
    error: { code: 'tool_failed', message: 'no such city' },
    result: { content: 'no such city' },
  });
});

test('takes the message of a failure that the tool reports as an object', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const failure = { error: 'not_found', message: 'There is no such city.' };
  fixture.connector.behaviours.set('a', {
    call: async () => ({ ...textResult(''), structuredContent: failure, isError: true }),
  });
  expect(await fixture.host.execute(request())).toMatchObject({
    error: { code: 'tool_failed', message: 'There is no such city.' },
    result: { content: failure },
  });
});

test('lets the caller cancel a call and notifies the server, also when it does not react', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  let received: AbortSignal | undefined;
  fixture.connector.behaviours.set('a', {
    call: (_call, { signal }) => {
      received = signal;
      return new Promise(() => {});
    },
  });
  const controller = new AbortController();
  const running = fixture.host.execute(request(), { signal: controller.signal });
  await settled();
  controller.abort();
  expect(await running).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } });
  expect(received?.aborted).toBe(true);
});

test('the same block asked again while it runs joins the running call', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, log } = fixture;
  const answer = Promise.withResolvers<string>();
  const call = vi.fn(async () => textResult(await answer.promise));
  connector.behaviours.set('a', { call });
  const block = { documentPath: 'note.md', sectionLine: 3 };
  const gaveUp = new AbortController();
  const states: CallState[] = [];
  const calls = [
    host.execute(request(block)),
    host.execute(request(block), { signal: gaveUp.signal }),
    host.execute(request(block), { onState: (state) => states.push(state) }),
    host.execute(request({ ...block, sectionLine: 9 })),
    host.execute(request({ ...block, parameters: { text: 'other' } })),
  ];
  await settled();
  expect(call).toHaveBeenCalledTimes(3);
  gaveUp.abort();
  expect(await calls[1]).toMatchObject({ status: 'cancelled' });
  answer.resolve('once');
  expect(await calls[0]).toEqual(await calls[2]);
  expect(await calls[0]).toMatchObject({ status: 'success', result: { content: 'once' } });
  expect(states.at(-1)).toEqual({ status: 'success' });
  await Promise.all(calls);
  expect(log.records).toHaveLength(3);
  await host.execute(request(block));
  expect(call).toHaveBeenCalledTimes(4);
});

test('a joined call ends when the last of its callers gives up', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  let received: AbortSignal | undefined;
  fixture.connector.behaviours.set('a', {
    call: (_call, { signal }) => {
      received = signal;
      return untilAborted(signal);
    },
  });
  const block = { documentPath: 'note.md', sectionLine: 3 };
  const one = new AbortController();
  const two = new AbortController();
  const calls = [one, two].map(({ signal }) => fixture.host.execute(request(block), { signal }));
  await settled();
  one.abort();
  await settled();
  expect(received?.aborted).toBe(false);
  two.abort();
  expect(await Promise.all(calls)).toMatchObject([
    { status: 'cancelled' },
    { status: 'cancelled' },
  ]);
  expect(received?.aborted).toBe(true);
});

test('reports the stages of a call', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const states: CallState[] = [];
  const events: string[] = [];
  fixture.host.events.subscribe(({ kind }) => kind.startsWith('call-') && events.push(kind));
  await fixture.host.execute(request(), { onState: (state) => states.push(state) });
  expect(states.map(({ status, waitingFor }) => waitingFor ?? status)).toEqual([
    'pending',
    'server',
    'turn',
    'executing',
    'success',
  ]);
  expect(events).toEqual(['call-queued', 'call-started', 'call-finished']);
});

test('the history keeps who, when, how long and how it ended', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, clock } = fixture;
  connector.behaviours.set('a', {
    call: async (_call, { signal }) => {
      await clock.sleep(40, signal);
      return textResult('x');
    },
  });
  const running = host.execute(request({ id: 'h1' }));
  await clock.advance(40);
  await running;
  expect(host.tracker).toMatchObject({
    totalExecuted: 1,
    executionHistory: [
      {
        requestId: 'h1',
        serverId: 'a',
        toolName: 'echo',
        timestamp: clock.now() - 40,
        duration: 40,
        status: 'success',
      },
    ],
  });
});

test('a defect in a call ends that call, is logged and reported, and says that it is one', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  fixture.connector.behaviours.set('a', { call: () => Promise.reject(new TypeError('a defect')) });
  const outcome = await fixture.host.execute(request());
  const message =
    'A defect of Errand ended the call (a defect). Please report it. The call may have taken effect; it was not repeated.';
  expect(outcome).toMatchObject({ status: 'error', error: { code: 'tool_failed', message } });
  expect(fixture.host.tracker.activeExecutions.size).toBe(0);
  expect(fixture.log.records).toMatchObject([{ status: 'error', error: { message } }]);
  expect(fixture.notices).toMatchObject([{ level: 'error', detail: 'a defect' }]);
});

test('survives a listener that throws during a call', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const fail = () => {
    throw new Error('a defect');
  };
  fixture.connector.behaviours.set('a', {
    call: async (_call, { onProgress }) => {
      onProgress?.({ progress: 1 });
      return { content: [] };
    },
  });
  const heard: string[] = [];
  fixture.host.events.subscribe(fail);
  fixture.host.events.subscribe(({ kind }) => heard.push(kind));
  const steps: unknown[] = [];
  const block = { documentPath: 'a.md', sectionLine: 1 };
  const outcomes = await Promise.all([
    fixture.host.execute(request(block), { onState: fail, onProgress: fail }),
    fixture.host.execute(request(block), { onProgress: (step) => steps.push(step) }),
  ]);
  expect(outcomes).toMatchObject([{ status: 'success' }, { status: 'success' }]);
  expect(steps).toEqual([{ progress: 1 }]);
  expect(heard).toContain('call-finished');
  expect(fixture.notices.length).toBeGreaterThan(0);
});

test('a call that is refused before anything else is logged under its server’s name', async () => {
  await using fixture = await memoryHost([{ ...localServer('weather'), id: '5f1c' }]);
  fixture.host.stop();
  await fixture.host.execute(request({ serverId: '5f1c' }));
  expect(fixture.log.records).toMatchObject([{ server: 'weather', status: 'cancelled' }]);
});
