import { expect, test } from 'vitest';
import type { PastCall } from '../../contract.ts';
import {
  filterOf,
  fits,
  historyQuery,
  joinHistory,
  noFilter,
  optionsOf,
} from './history-filter.ts';

const call: PastCall = {
  id: 'c1',
  source: 'gateway',
  server: 'Weather',
  tool: 'forecast',
  note: 'A & B.md',
  line: 3,
  status: 'error',
  submittedAt: 1,
  durationMs: 1,
  attempts: 1,
  resultBytes: null,
  error: null,
};

test('a filter goes into the address and comes back; what cannot be is left out', () => {
  const filter = { server: 'weather', note: 'A & B.md', status: 'error', source: '' } as const;
  expect(filterOf(optionsOf(filter))).toEqual(filter);
  expect(filterOf({ status: 'strange', source: '<b>' })).toEqual(noFilter);
});

test('the next calls are asked for behind the last one shown', () => {
  const note = 'A & B.md';
  expect(historyQuery({ ...noFilter, note }, call)).toEqual({
    ...noFilter,
    note,
    limit: '50',
    before: 'c1',
  });
});

test.each([
  [{ server: 'weather' }, true],
  [{ server: 'other' }, false],
  [{ note: 'A & B.md', status: 'error', source: 'gateway' }, true],
  [{ note: 'B.md' }, false],
  [{ status: 'success' }, false],
  [{ source: 'workbench' }, false],
] as const)('a call that ended fits %j: %j', (filter, expected) => {
  expect(fits({ ...noFilter, ...filter }, call)).toBe(expected);
});

test('a call that was told and read is shown once', () => {
  const other = { ...call, id: 'c2' };
  expect(joinHistory([other, call], [{ ...call, resultBytes: 7 }]).map(({ id }) => id)).toEqual([
    'c2',
    'c1',
  ]);
});
