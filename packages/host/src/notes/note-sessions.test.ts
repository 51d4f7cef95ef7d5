import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { memoryHost, request } from '../testing/memory-host.ts';
import { NoteSessions, type SessionUse, sessionOfNote } from './note-sessions.ts';

const id = sessionOfNote('a.md');

async function sessionsOf(mcpSessionLimit: number) {
  const world = await memoryHost([localServer('a')], { mcpSessionLimit });
  const near: SessionUse[] = [];
  const sessions = new NoteSessions(world.host, {
    onChange: () => {},
    onNear: (use) => near.push(use),
  });
  const call = async (count: number) => {
    for (let made = 0; made < count; made += 1) {
      await world.host.execute(request({ sessionId: id }));
      sessions.count(id);
    }
  };
  return { world, sessions, near, call };
}

test('warns once when 80 % are used, and again after a reset', async () => {
  const { world, sessions, near, call } = await sessionsOf(5);
  await call(3);
  expect(near).toEqual([]);
  await call(2);
  expect(near).toMatchObject([{ note: 'a.md', executed: 4, limit: 5, level: 'near' }]);
  expect(sessions.describe(id).level).toBe('reached');
  sessions.reset(id);
  await call(4);
  expect(near).toHaveLength(2);
  await world[Symbol.asyncDispose]();
});

test('gives a run of many blocks the room they need, and one block none', async () => {
  const { world, sessions, call } = await sessionsOf(5);
  await call(4);
  expect(sessions.limitFor(id, 12, 0)).toBe(16);
  expect(sessions.limitFor(id, 1, 0)).toBe(5);
  await world[Symbol.asyncDispose]();
});

test('forgets the count of a note that was closed', async () => {
  const { world, sessions, call } = await sessionsOf(5);
  await call(5);
  sessions.close(id);
  expect(sessions.list()).toEqual([]);
  expect(world.host.sessions.usage(id)).toEqual({ executed: 0, limit: 5 });
  await world[Symbol.asyncDispose]();
});

test('goes on counting when a note gets another name', async () => {
  const { world, sessions, call } = await sessionsOf(5);
  await call(4);
  sessions.rename(id, sessionOfNote('b.md'));
  expect(sessions.list()).toMatchObject([{ note: 'b.md', executed: 4, level: 'near' }]);
  await world[Symbol.asyncDispose]();
});
