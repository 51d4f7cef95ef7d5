import { expect, test } from 'vitest';
import { requirements } from './requirements.ts';
import { testExists } from './test-exists.ts';

const rows = Object.entries(requirements).map(([id, row]) => ({ id, ...row }));

test.each(rows)('$id names only tests that exist', ({ tests }) => {
  expect(tests.filter((name) => !testExists(name))).toEqual([]);
});

test('nothing marked done is untested', () => {
  const untested = rows.filter(({ status, tests }) => status === 'done' && tests.length === 0);
  expect(untested.map(({ id }) => id)).toEqual([]);
});

test('a name that no test has is noticed', () => {
  expect(testExists('test/requirements.test.ts: a name that no test has is noticed')).toBe(true);
  expect(testExists('test/requirements.test.ts: a test nobody wrote')).toBe(false);
  expect(testExists('test/nowhere.test.ts: anything')).toBe(false);
});
