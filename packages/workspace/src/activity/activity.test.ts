import { sessionOfNote } from '@errand/host';
import { localServer, memoryHost, request, untilAborted } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { Activity, type ActivityEvent } from './activity.ts';

async function open(settings = {}) {
  const fixture = await memoryHost([localServer('a')], settings);
  const called = Promise.withResolvers<void>();
  fixture.connector.behaviours.set('a', {
    call: async (call, { signal, onProgress }) => {
      if (call.arguments.text !== 'hang') return { content: [{ type: 'text', text: 'done' }] };
      for (const progress of [1, 2, 3]) onProgress?.({ progress, total: 3 });
      called.resolve();
      return untilAborted(signal);
    },
  });
  const faults: unknown[] = [];
  const activity = new Activity(fixture.host, { onFault: (error) => faults.push(error) });
  const events: ActivityEvent[] = [];
  activity.subscribe((event) => events.push(event));
  return {
    ...{ activity, events, faults, host: fixture.host, called: called.promise },
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      activity[Symbol.dispose]();
    },
  };
}

const onProgress = () => {};

test('shows a call while it waits, runs and reports progress, and how it ended', async () => {
  await using fixture = await open();
  const { activity, events, host } = fixture;
  const hanging = request({ parameters: { text: 'hang' }, documentPath: 'n.md', sectionLine: 3 });
  const outcome = host.execute(hanging, { onProgress });
  await fixture.called;
  expect(activity.snapshot).toMatchObject({
    isStopped: false,
    active: [
      {
        id: hanging.id,
        status: 'executing',
        server: 'a',
        tool: 'echo',
        note: 'n.md',
        line: 3,
        startedAt: expect.any(Number),
        progress: { progress: 3, total: 3 },
        isOwn: true,
      },
    ],
  });
  const changes = events.flatMap((event) => (event.kind === 'call-changed' ? [event.call] : []));
  expect(changes.map(({ status }) => status).slice(0, 2)).toEqual(['pending', 'executing']);
  expect(changes.flatMap(({ progress }) => progress ?? [])).toEqual([{ progress: 1, total: 3 }]);
  expect(activity.cancel(hanging.id)).toBe('cancelled');
  expect(await outcome).toMatchObject({ status: 'cancelled' });
  expect(activity.snapshot.active).toEqual([]);
  expect(events.at(-1)).toMatchObject({
    kind: 'call-ended',
    call: { id: hanging.id, status: 'cancelled', error: { code: 'cancelled' }, resultBytes: null },
  });
  expect(activity.cancel(hanging.id)).toBe('ended');
});

test("does not cancel a call of the gateway's clients", async () => {
  await using fixture = await open();
  const { activity, host } = fixture;
  const theirs = request({ parameters: { text: 'hang' }, source: 'gateway' });
  const outcome = host.execute(theirs, { onProgress });
  await fixture.called;
  expect(activity.cancel(theirs.id)).toBe('not-own');
  expect(activity.snapshot.active).toMatchObject([{ isOwn: false }]);
  host.stop();
  expect(activity.snapshot.isStopped).toBe(true);
  expect(await outcome).toMatchObject({ error: { code: 'stopped' } });
  expect(fixture.events).toContainEqual({ kind: 'calls-stopped', isStopped: true });
  host.resume();
  expect(fixture.events.at(-1)).toEqual({ kind: 'calls-stopped', isStopped: false });
});

test('counts the calls of a note, and says once when most are used', async () => {
  await using fixture = await open({ mcpSessionLimit: 2 });
  const sessionId = sessionOfNote('n.md');
  const call = () => fixture.host.execute(request({ sessionId }));
  const near = () => fixture.events.filter(({ kind }) => kind === 'session-near');
  await call();
  expect(near()).toEqual([]);
  await call();
  await call();
  expect(near()).toMatchObject([{ message: '2 of 2 calls of n.md are used' }]);
  expect(fixture.activity.snapshot.sessions).toMatchObject([{ executed: 2, level: 'reached' }]);
  expect(fixture.activity.sessions.reset(sessionId)).toMatchObject({ executed: 0 });
});
