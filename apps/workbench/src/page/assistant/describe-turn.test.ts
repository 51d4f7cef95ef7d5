import { expect, test } from 'vitest';
import type { Turn, TurnEnd } from '../../contract.ts';
import { describeTools, describeUsage, nextStep } from './describe-turn.ts';

test('tools are counted, with the servers they are of', () => {
  expect(describeTools([])).toBe('no tools');
  expect(describeTools(['find_tools'])).toBe('tools found by search');
  expect(describeTools(['vault__a'])).toBe('1 tool of vault');
  expect(describeTools(['a__x', 'b__x', 'a__y', 'find_tools'])).toBe(
    '3 tools of a, b, and a search for the rest',
  );
  const many = ['a__x', 'b__x', 'c__x', 'd__x', 'e__x', 'f__x'];
  expect(describeTools(many)).toBe('6 tools of a, b, c, d and 2 more');
});

const turn = (state: TurnEnd['state'], text = ''): Turn => ({
  id: 't',
  question: 'q',
  assistant: 'Claude',
  model: 'm',
  startedAt: 1,
  parts: text === '' ? [] : [{ kind: 'text', text }],
  round: 1,
  tools: [],
  end: { state, message: null, code: null, tokens: { input: 1234, output: 5 }, durationMs: 2_500 },
});

test('an incomplete turn can be continued, and one without an answer retried', () => {
  expect(nextStep(turn('answered', 'a'))).toBeUndefined();
  expect(nextStep(turn('refused'))).toBeUndefined();
  expect(nextStep(turn('length', 'a'))).toBe('continue');
  expect(nextStep(turn('cancelled'))).toBe('again');
  expect(nextStep(turn('failed'))).toBe('again');
});

test('the usage of a turn fits on one line', () => {
  const { end, ...rest } = turn('answered');
  if (end === null) throw new Error('it has an end');
  expect(describeUsage({ ...rest, end }, end)).toBe('1,234 tokens in, 5 out · 2.5 s');
  expect(describeUsage({ ...rest, end }, { ...end, tokens: null, durationMs: null })).toBe('');
});
