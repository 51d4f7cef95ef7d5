import type { RunningBlock } from '@errand/workspace/runs';
import { effect } from '@preact/signals';
import { expect, test } from 'vitest';
import type { Block, BlockEnd } from '../../../contract.ts';
import { BlockCards } from './block-cards.ts';

test('an event that arrives while the note is loading wins over the response', () => {
  const cards = new BlockCards();
  cards.show([block({ run })]);
  cards.beginReading();
  cards.change('a', null, end);
  cards.show([block({ run })]);
  expect(cards.get('a').value).toMatchObject({ run: null, end: { status: 'cancelled' } });
  cards.beginReading();
  cards.show([block({ run })]);
  expect(cards.get('a').value?.run).toEqual(run);
});

test('a card whose block only moved is not rendered again', () => {
  const cards = new BlockCards();
  cards.show([block({ line: 1 }), block({ key: 'b' })]);
  let draws = 0;
  const stop = effect(() => {
    void cards.get('a').value;
    draws += 1;
  });
  cards.show([block({ line: 9, endLine: 12 }), block({ key: 'b', state: 'fresh' })]);
  expect(draws).toBe(1);
  cards.show([block({ state: 'stale' })]);
  expect(draws).toBe(2);
  expect(cards.get('b').value).toBeUndefined();
  stop();
});

test('counts what runs, and a run that failed as a whole leaves nothing running', () => {
  const cards = new BlockCards();
  cards.show([block({}), block({ key: 'b' })]);
  cards.start('r', ['a', 'b']);
  expect(cards.running.value).toBe(2);
  cards.change('a', null, end);
  expect(cards.running.value).toBe(1);
  cards.end('r', []);
  expect(cards.running.value).toBe(0);
  expect(cards.get('a').value?.end).toEqual(end);
});

const run: RunningBlock = {
  status: 'executing',
  waitingFor: null,
  since: 1,
  startedAt: 2,
  progress: null,
};
const end: BlockEnd = {
  key: 'a',
  line: 1,
  status: 'cancelled',
  durationMs: 1,
  attempts: 1,
  written: false,
  error: null,
};

function block(given: Partial<Block>): Block {
  return {
    key: 'a',
    line: 1,
    endLine: 4,
    id: null,
    server: 's',
    language: 's',
    tool: 't',
    params: {},
    display: null,
    section: [],
    boundServer: null,
    state: 'new',
    problem: null,
    mistakes: [],
    result: null,
    run: null,
    ...given,
  };
}
