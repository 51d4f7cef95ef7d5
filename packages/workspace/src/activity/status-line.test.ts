import { expect, test } from 'vitest';
import { type StatusFacts, statusLine } from './status-line.ts';

const quiet: StatusFacts = {
  running: 0,
  waiting: 0,
  isStopped: false,
  session: undefined,
  troubled: [],
  idleHooks: undefined,
  mail: undefined,
};
const session = (executed: number, level: 'ok' | 'near' | 'reached', limit = 25) => ({
  id: 'note:a.md',
  note: 'a.md',
  conversation: null,
  executed,
  limit,
  level,
});

test('says nothing when there is nothing to say', () => {
  expect(statusLine(quiet)).toEqual([]);
  expect(statusLine({ ...quiet, session: session(0, 'ok') })).toEqual([]);
  expect(statusLine({ ...quiet, session: session(40, 'ok', -1) })).toEqual([]);
});

test.each<[string, Partial<StatusFacts>, string, boolean]>([
  ['calls', { running: 2, waiting: 1 }, '2 running, 1 waiting', false],
  ['only waiting calls', { waiting: 3 }, '3 waiting', false],
  ['that all is stopped', { isStopped: true, waiting: 1 }, 'Stopped', true],
  ['the use of the session', { session: session(5, 'ok') }, '5/25 calls', false],
  ['a session that is nearly used up', { session: session(20, 'near') }, '20/25 calls', true],
  ['that no program runs the hooks', { idleHooks: 'They run elsewhere.' }, 'Hooks are off', false],
  ['mail that waits', { mail: { waiting: 3, wrong: 0 } }, 'Mail: 3', false],
  ['mail that went wrong', { mail: { waiting: 0, wrong: 1 } }, 'Mail: 1', true],
  ['servers', { troubled: ['a', 'b'] }, '2 servers in trouble', true],
])('says %s', (_, facts, text, isWarning) => {
  expect(statusLine({ ...quiet, ...facts })).toMatchObject([{ text, isWarning }]);
});
