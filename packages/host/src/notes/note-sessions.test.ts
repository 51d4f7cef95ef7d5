import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { memoryHost, request } from '../testing/memory-host.ts';
import { NoteSessions, type SessionUse, sessionOfNote } from './note-sessions.ts';

const id = sessionOfNote('a.md');

async function sessionsOf(mcpSessionLimit: number) {
  const fixture = await memoryHost([localServer('a')], { mcpSessionLimit });
  const near: SessionUse[] = [];
  const sessions = new NoteSessions(fixture.host, {
    onChange: () => {},
    onNear: (use) => near.push(use),
  });
  fixture.host.events.subscribe((event) => {
    if (event.kind === 'session-changed') sessions.follow(event.sessionId);
  });
  const call = async (count: number) => {
    for (let made = 0; made < count; made += 1) {
      await fixture.host.execute(request({ sessionId: id }));
    }
  };
  return { fixture, sessions, near, call };
}

test('warns once when 80 % are used, and again after a reset', async () => {
  const { fixture, sessions, near, call } = await sessionsOf(5);
  await call(3);
  expect(near).toEqual([]);
  await call(2);
  expect(near).toMatchObject([{ note: 'a.md', executed: 4, limit: 5, level: 'near' }]);
  expect(sessions.describe(id).level).toBe('reached');
  sessions.reset(id);
  await call(4);
  expect(near).toHaveLength(2);
  await fixture[Symbol.asyncDispose]();
});

test('raises the limit for a run of many blocks, and not for one block', async () => {
  const { fixture, sessions, call } = await sessionsOf(5);
  await call(4);
  expect(sessions.limitFor(id, 12, 0)).toBe(16);
  expect(sessions.limitFor(id, 1, 0)).toBe(5);
  await fixture[Symbol.asyncDispose]();
});

test('goes on counting for a note that was renamed', async () => {
  const { fixture, sessions, call } = await sessionsOf(5);
  await call(3);
  sessions.renameNote('a.md', 'b.md');
  expect(sessions.list()).toMatchObject([{ note: 'b.md', executed: 3 }]);
  await fixture[Symbol.asyncDispose]();
});

test('forgets the count of a note that was closed', async () => {
  const { fixture, sessions, call } = await sessionsOf(5);
  await call(5);
  sessions.close(id);
  expect(sessions.list()).toEqual([]);
  expect(fixture.host.sessions.usage(id)).toEqual({ executed: 0, limit: 5 });
  await fixture[Symbol.asyncDispose]();
});

const talk = { note: 'a.md', key: '0 How warm?', opening: 'How warm?' };

test('counts all turns of a conversation together, and no others', async () => {
  const { fixture, sessions, near } = await sessionsOf(5);
  const turn = async (calls: number) => {
    const sessionId = sessions.ofConversation(talk);
    for (let made = 0; made < calls; made += 1) {
      await fixture.host.execute(request({ sessionId }));
    }
    return sessions.describe(sessionId);
  };
  expect(await turn(3)).toMatchObject({ note: 'a.md', conversation: 'How warm?', executed: 3 });
  expect(await turn(3)).toMatchObject({ executed: 5, level: 'reached' });
  expect(near).toMatchObject([{ conversation: 'How warm?', executed: 4 }]);
  // It is told by whoever shows the sessions, and not by the host as well.
  expect(fixture.notices).toEqual([]);
  for (const other of [
    { ...talk, key: '1 How warm?' },
    { ...talk, note: null },
  ]) {
    expect(sessions.describe(sessions.ofConversation(other)).executed).toBe(0);
  }
  sessions.reset(sessions.ofConversation(talk));
  expect(await turn(1)).toMatchObject({ executed: 1 });
  await fixture[Symbol.asyncDispose]();
});

test('a conversation goes with its note, under another name and out of the vault', async () => {
  const { fixture, sessions } = await sessionsOf(5);
  const sessionId = sessions.ofConversation(talk);
  await fixture.host.execute(request({ sessionId }));
  sessions.renameNote('a.md', 'b.md');
  expect(sessions.ofConversation({ ...talk, note: 'b.md' })).toBe(sessionId);
  expect(sessions.list()).toMatchObject([{ note: 'b.md', executed: 1 }]);
  sessions.close(sessionOfNote('b.md'));
  expect(sessions.list()).toHaveLength(1);
  sessions.closeNote('b.md');
  expect(sessions.list()).toEqual([]);
  expect(sessions.ofConversation({ ...talk, note: 'b.md' })).not.toBe(sessionId);
  await fixture[Symbol.asyncDispose]();
});
