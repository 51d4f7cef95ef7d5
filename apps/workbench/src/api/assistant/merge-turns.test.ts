import { expect, test } from 'vitest';
import type { Turn, TurnEnd } from '../../contract.ts';
import { mergeTurns } from './merge-turns.ts';

function turn(id: string, question: string, state: TurnEnd['state'] = 'answered'): Turn {
  const end = { state, message: null, code: null, tokens: null, durationMs: null };
  const rest = {
    assistant: 'Claude',
    model: null,
    startedAt: null,
    parts: [],
    round: 1,
    tools: [],
  };
  return { id, question, ...rest, end };
}

const ids = (written: readonly Turn[], remembered: readonly Turn[]) =>
  mergeTurns(written, remembered).map(({ id }) => id);

test('adds what is remembered of a turn to the one in the note', () => {
  const written = [turn('line 1', 'a'), turn('line 5', 'go on'), turn('line 9', 'go on')];
  const remembered = [turn('x', 'go on'), turn('y', 'go on')];
  expect(ids(written, remembered)).toEqual(['line 1', 'x', 'y']);
});

test('leaves out turns that were removed from the note or belong to another section', () => {
  expect(ids([turn('line 1', 'b')], [turn('x', 'a'), turn('y', 'b'), turn('z', 'c')])).toEqual([
    'y',
  ]);
});

test('shows a last turn that failed, and only once', () => {
  const failed = turn('z', 'c', 'failed');
  expect(ids([turn('line 1', 'b')], [turn('y', 'b'), failed])).toEqual(['y', 'z']);
  expect(ids([turn('line 1', 'c')], [failed])).toEqual(['z']);
});
