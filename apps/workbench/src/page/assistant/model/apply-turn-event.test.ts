import { expect, test } from 'vitest';
import type { Conversation, Turn, TurnEvent } from '../../../contract.ts';
import { applyTurnEvent } from './apply-turn-event.ts';

const turn: Turn = {
  id: 't',
  question: 'q',
  assistant: 'Claude',
  model: 'm',
  startedAt: 1,
  parts: [],
  round: 0,
  tools: [],
  end: null,
};
const empty: Conversation = { id: 'free', note: null, isKept: false, turns: [], openQuestion: 'q' };

function after(...events: readonly TurnEvent[]): Conversation {
  return events.reduce<Conversation>(
    (now, event) => applyTurnEvent(now, { ...event, conversation: 'free' }),
    empty,
  );
}

const started: TurnEvent = { kind: 'turn-started', turn, replaces: null };
const text = (at: number, words: string): TurnEvent => {
  return { kind: 'text-added', turn: 't', index: 0, at, text: words };
};

test('text grows piece by piece, and a repeated event changes nothing', () => {
  const parts = (...events: readonly TurnEvent[]) => after(...events).turns[0]?.parts;
  const whole = [{ kind: 'text', text: 'It is warm.' }];
  expect(parts(started, text(0, 'It is '), text(6, 'warm.'))).toEqual(whole);
  expect(parts(started, text(0, 'It is '), text(6, 'warm.'), text(0, 'It is '))).toEqual(whole);
  expect(parts(started, text(0, 'It is'), text(0, 'It is warm.'))).toEqual(whole);
});

test('a turn is not started twice, and a retried turn is replaced', () => {
  expect(after(started, text(0, 'a'), started).turns).toMatchObject([{ parts: [{ text: 'a' }] }]);
  const again: TurnEvent = { kind: 'turn-started', turn: { ...turn, id: 'u' }, replaces: 't' };
  expect(after(started, again).turns.map(({ id }) => id)).toEqual(['u']);
  expect(after(started).openQuestion).toBeNull();
});

test('parts are stored by index, and a cleared conversation is empty', () => {
  const notice = (index: number, message: string): TurnEvent => {
    return { kind: 'part-changed', turn: 't', index, part: { kind: 'notice', message } };
  };
  const { turns } = after(started, text(0, 'a'), notice(1, 'x'), notice(1, 'y'));
  expect(turns[0]?.parts).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'notice', message: 'y' },
  ]);
  expect(after(started, { kind: 'conversation-cleared' }).turns).toEqual([]);
});
