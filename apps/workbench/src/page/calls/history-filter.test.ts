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

test('a filter survives a round trip through the URL; unknown values are ignored', () => {
  const filter = { server: 'weather', note: 'A & B.md', status: 'error', source: '' } as const;
  expect(filterOf(optionsOf(filter))).toEqual(filter);
  expect(filterOf({ status: 'strange', source: '<b>' })).toEqual(noFilter);
});

test('requests the calls after the last one shown', () => {
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

test('a call from both the events and the log is shown once', () => {
  const other = { ...call, id: 'c2' };
  expect(joinHistory([other, call], [{ ...call, resultBytes: 7 }]).map(({ id }) => id)).toEqual([
    'c2',
    'c1',
  ]);
});
