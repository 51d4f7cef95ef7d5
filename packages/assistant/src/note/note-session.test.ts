import { NoteSessions } from '@errand/host';
import { expect, test } from 'vitest';
import { forecast, noteTurn, openNote, textOf } from '../testing/note-turn.ts';
import type { TurnFixture } from '../testing/turn-fixture.ts';

function sessionsOf({ memory }: TurnFixture) {
  const sessions = new NoteSessions(memory.host, { onChange: () => {}, onNear: () => {} });
  memory.host.events.subscribe((event) => {
    if (event.kind === 'session-changed') sessions.follow(event.sessionId);
  });
  const sessionOf = (...talk: Parameters<NoteSessions['ofConversation']>) =>
    sessions.ofConversation(...talk);
  return { sessions, sessionOf };
}

const turn = [{ calls: [forecast] }, { text: ['12.'] }] as const;

test('all turns of a conversation are one session, and each other conversation is its own', async () => {
  await using fixture = await openNote(
    '# A\n\n#User : a\n\n# B\n\n#User : b\n',
    ...turn,
    ...turn,
    ...turn,
    ...turn,
  );
  const { sessions, sessionOf } = sessionsOf(fixture);
  await noteTurn(fixture, { line: 3, sessionOf });
  await noteTurn(fixture, { line: 3, question: 'And tomorrow?', sessionOf });
  await noteTurn(fixture, { sessionOf });
  await noteTurn(fixture, { question: 'b', startsOver: true, sessionOf });
  expect(sessions.list()).toMatchObject([
    { note: 'Trip.md', conversation: 'a', executed: 2 },
    { note: 'Trip.md', conversation: 'b', executed: 1 },
    { note: 'Trip.md', conversation: 'b', executed: 1 },
  ]);
});

test('the session limit counts over the turns of a conversation, until it is reset', async () => {
  await using fixture = await openNote('#User : a\n', ...turn, ...turn, ...turn);
  const { sessions, sessionOf } = sessionsOf(fixture);
  const id = sessionOf({ note: 'Trip.md', key: '0 a', opening: 'a' });
  fixture.memory.host.sessions.setLimit(id, 1);
  await noteTurn(fixture, { sessionOf });
  await noteTurn(fixture, { question: 'Again?', sessionOf });
  expect(textOf(fixture)).toContain('Session execution limit reached (1)');
  sessions.reset(id);
  await noteTurn(fixture, { question: 'And now?', sessionOf });
  const answer = textOf(fixture).split('#User : And now?')[1];
  expect(answer).toContain('12 °C in London');
});
