import { expect, test } from 'vitest';
import { decisions, numbers } from './decisions.ts';
import { requirements } from './requirements.ts';
import { runningTitles, testExists } from './test-exists.ts';

const rows = Object.entries({ ...requirements, ...decisions, ...numbers }).map(([id, row]) => ({
  id,
  ...row,
}));

test.each(rows)('$id names only tests that exist', ({ tests }) => {
  expect(tests.filter((name) => !testExists(name))).toEqual([]);
});

test('nothing marked done is untested', () => {
  const untested = rows.filter(({ status, tests }) => status === 'done' && tests.length === 0);
  expect(untested.map(({ id }) => id)).toEqual([]);
});

test('every decision and every number has its row', () => {
  const ids = (letter: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
  expect(Object.keys(decisions)).toEqual(ids('D', 29));
  expect(Object.keys(numbers)).toEqual(ids('N', 13));
});

test('a name that no test has is noticed', () => {
  expect(testExists('test/requirements.test.ts: a name that no test has is noticed')).toBe(true);
  expect(testExists('test/requirements.test.ts: a test nobody wrote')).toBe(false);
  expect(testExists('test/nowhere.test.ts: anything')).toBe(false);
  expect(testExists('test/golden/golden.test.ts: plain')).toBe(true);
  expect(testExists('test/golden/golden.test.ts: %s')).toBe(false);
  expect(testExists('test/bench/vault.bench.ts: search, p50')).toBe(true);
  expect(testExists('test/bench/vault.bench.ts: a number nobody measures')).toBe(false);
});

test.each([
  ['(NAME, () => { expect(1).toBe(1); });', true],
  ['(NAME, { timeout: 5 }, async () => {\n  await holds();\n});', true],
  ['(NAME, () => expect(1).toBe(1));', true],
  ['(NAME, holds);', true],
  ['.each([1, 2])(NAME, (each) => { expect(each).toBe(1); });', true],
  ['.skipIf(isWindows)(NAME, () => { expect(1).toBe(1); });', true],
  ['(NAME, () => {});', false],
  ['(NAME, async () => {\n  // later\n});', false],
  ['(NAME);', false],
  ['.skip(NAME, () => { expect(1).toBe(1); });', false],
  ['.todo(NAME);', false],
  ['.only(NAME, () => { expect(1).toBe(1); });', false],
])('whether a test counts: test%s', (source, counts) => {
  const text = ['te', `st${source.replace('NAME', "'adds'")}`].join('');
  expect(runningTitles(text).has('adds')).toBe(counts);
});
