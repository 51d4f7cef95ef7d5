import { expect, test } from 'vitest';
import { type Limits, readLimits } from './limits.ts';
import { type Session, Sessions } from './sessions.ts';
import { silent } from './testing/silent.ts';

const mebibyte = 1024 * 1024;

test('refuses one client more than the limit and says what to do', () => {
  const { open, refusal } = setUp({ maxClients: 2 });
  open();
  open();
  expect(refusal()).toMatch(/has 2 clients, its limit.*MCP_MAX_CLIENTS/);
});

test('accepts a new client after another one left', () => {
  const { open, sessions } = setUp({ maxClients: 1 });
  const first = open();
  sessions.close(first);
  expect(first.status).toBe('disconnected');
  expect(open().sessionId).not.toBe(first.sessionId);
});

test('drops a session that is idle for too long, and only that', () => {
  const { open, sessions, clock, dropped } = setUp({ clientTimeout: 60_000 });
  const idle = open();
  clock.now += 40_000;
  const fresh = open();
  clock.now += 30_000;
  sessions.sweep();
  expect(dropped).toEqual([idle.sessionId]);
  expect(sessions.list()).toEqual([fresh]);
});

test('keeps a quiet session that has a call running or a stream open', () => {
  const { open, sessions, clock } = setUp({ clientTimeout: 1_000 });
  open().unanswered = 1;
  open().streams = 1;
  clock.now += 60_000;
  expect(sessions.sweep()).toEqual([]);
});

test('never drops the client on standard input', () => {
  const { sessions, clock } = setUp({ clientTimeout: 1_000 });
  sessions.open('stdio', () => {});
  clock.now += 3_600_000;
  expect(sessions.sweep()).toEqual([]);
});

test('replaces a client that left without closing its session', () => {
  const { open, clock, dropped } = setUp({ maxClients: 1, clientTimeout: 300_000 });
  const gone = open();
  clock.now += 31_000;
  open();
  expect(dropped).toEqual([gone.sessionId]);
});

test('refuses new sessions from 90 % of the memory limit on, but serves single requests', () => {
  const { open, refusal, memory, sessions } = setUp({ memoryLimit: 100 * mebibyte });
  memory.used = 89 * mebibyte;
  const old = open();
  memory.used = 90 * mebibyte;
  expect(refusal()).toMatch(/takes no new clients.*MCP_MEMORY_LIMIT/);
  expect(sessions.open('http', () => {}, { isBrief: true }).kind).toBe('opened');
  expect(old.status).toBe('connected');
});

test('drops idle sessions sooner when memory is short, even with an open stream', () => {
  const { open, sessions, clock, memory, dropped } = setUp({ clientTimeout: 300_000 });
  const listening = open();
  listening.streams = 1;
  const working = open();
  working.unanswered = 1;
  clock.now += 61_000;
  expect(sessions.sweep()).toEqual([]);
  memory.used = 512 * mebibyte;
  sessions.sweep();
  expect(dropped).toEqual([listening.sessionId]);
});

test('refuses new clients while it stops', () => {
  const { open, sessions, refusal } = setUp({});
  const before = open();
  sessions.stop();
  expect(before.isStopping).toBe(true);
  expect(refusal()).toBe('This server is stopping.');
});

test('never has an activity before the connection, even when the clock is set back', () => {
  const { open, clock } = setUp({});
  const session = open();
  clock.now -= 10_000;
  session.touch();
  expect(session.lastActivity).toEqual(session.connectionTime);
  clock.now += 20_000;
  session.touch();
  expect(session.lastActivity.getTime()).toBe(clock.now);
});

function setUp(overrides: Partial<Limits>) {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const memory = { used: 0 };
  const dropped: string[] = [];
  const sessions = new Sessions({
    limits: readLimits({}, overrides),
    now: () => clock.now,
    memory: () => memory.used,
    log: silent,
  });
  const open = (): Session => {
    const opened = sessions.open('http', () => dropped.push(session.sessionId));
    if (opened.kind === 'refused') throw new Error(opened.message);
    const { session } = opened;
    return session;
  };
  const refusal = () => {
    const opened = sessions.open('http', () => {});
    return opened.kind === 'refused' ? opened.message : 'opened';
  };
  return { sessions, clock, memory, dropped, open, refusal };
}
