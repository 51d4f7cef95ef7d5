import { expect, test } from 'vitest';
import { HttpSessions } from './http-sessions.ts';

const info = { clientInfo: { name: 'test', version: '1.0.0' } };

test('a session that was idle too long is gone, one in use is not', async () => {
  let now = 0;
  const sessions = new HttpSessions({ most: 10, idleMs: 100 }, () => now);
  const idle = sessions.open('2025-11-25', info)?.id ?? '';
  const used = sessions.open('2025-11-25', info)?.id ?? '';
  const busy = sessions.open('2025-11-25', info);
  const finish = Promise.withResolvers<void>();
  const call = busy?.running.run(1, new AbortController(), () => finish.promise);
  now = 60;
  expect(sessions.find(used)).toBeDefined();
  now = 120;
  expect(sessions.find(idle)).toBeUndefined();
  expect(sessions.find(used)).toBeDefined();
  expect(sessions.find(busy?.id ?? '')).toBe(busy);
  finish.resolve();
  await call;
});

test('at the limit the session idle for longest makes room; when all are busy there is none', async () => {
  let now = 0;
  const sessions = new HttpSessions({ most: 2, idleMs: 1000 }, () => now);
  const open = () => {
    now += 1;
    return sessions.open('2025-11-25', info);
  };
  const [first, second] = [open(), open()];
  now += 1;
  sessions.find(first?.id ?? '');
  const third = open();
  expect(sessions.find(second?.id ?? '')).toBeUndefined();
  expect(sessions.find(first?.id ?? '')).toBe(first);
  const finish = Promise.withResolvers<void>();
  const calls = [first, third].map((session) =>
    session?.running.run(1, new AbortController(), () => finish.promise),
  );
  expect(open()).toBeUndefined();
  finish.resolve();
  await Promise.all(calls);
  expect(open()).toBeDefined();
});

test('identifies a session to the executor by a name that is not its secret', () => {
  const sessions = new HttpSessions({ most: 2, idleMs: 1000 }, () => 0);
  const session = sessions.open('2025-11-25', info);
  expect(session?.name).toMatch(/^gateway:test:[0-9a-f]{8}$/);
  expect(session?.id).not.toContain(session?.name.slice(-8));
});

test('keeps no more of what a client says it can do than a header has room for', () => {
  const sessions = new HttpSessions({ most: 2, idleMs: 1000 }, () => 0);
  const given = { elicitation: { form: {} } };
  const open = (capabilities: object) =>
    sessions.open('2025-11-25', { ...info, capabilities } as never)?.capabilities;
  expect(open(given)).toEqual(given);
  expect(open({ ...given, experimental: { large: 'x'.repeat(1_000_000) } })).toEqual({});
});
