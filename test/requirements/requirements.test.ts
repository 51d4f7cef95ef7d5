import { expect, test } from 'vitest';
import { runningTitles } from '../running-titles.ts';
import { testExists } from '../test-exists.ts';
import { assistant } from './assistant.ts';
import { calls } from './calls.ts';
import { decisions, numbers } from './decisions.ts';
import { faces } from './faces.ts';
import { hooks } from './hooks.ts';
import { notes } from './notes.ts';
import { ourServers } from './our-servers.ts';
import { release } from './release.ts';
import { servers } from './servers.ts';

const requirements = {
  ...servers,
  ...calls,
  ...notes,
  ...assistant,
  ...faces,
  ...hooks,
  ...ourServers,
  ...release,
};
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
  expect(
    testExists('test/requirements/requirements.test.ts: a name that no test has is noticed'),
  ).toBe(true);
  expect(testExists('test/requirements/requirements.test.ts: a test nobody wrote')).toBe(false);
  expect(testExists('test/nowhere.test.ts: anything')).toBe(false);
  expect(testExists('test/golden/golden.test.ts: plain')).toBe(true);
  expect(testExists('test/golden/golden.test.ts: %s')).toBe(false);
  expect(testExists('test/bench/vault.bench.ts: search, p50')).toBe(true);
  expect(testExists('test/bench/vault.bench.ts: a number nobody measures')).toBe(false);
});

test.each([
  ['(NAME, () => { expect(sum(1)).toBe(1); });', true],
  ['(NAME, { timeout: 5 }, async () => {\n  await holds();\n});', true],
  ['(NAME, () => expect(sum(1)).not.toBe(1));', true],
  ['(NAME, async () => { await expect.poll(() => sum(1)).toBe(1); });', true],
  ["(NAME, async () => { await page.getByText('Done').waitFor(); });", true],
  ['(NAME, holds);', true],
  ['.each([1, 2])(NAME, (each) => { expect(each).toBe(1); });', true],
  ['.skipIf(isWindows)(NAME, () => { expect(sum(1)).toBe(1); });', true],
  ['(NAME, () => {});', false],
  ['(NAME, async () => {\n  // later\n});', false],
  ['(NAME);', false],
  ['(NAME, () => { sum(1); });', false],
  ['(NAME, () => { expect(true).toBe(true); });', false],
  ['(NAME, () => { expect(1 + 1).toBe(2); expect([`a`]).toEqual([]); });', false],
  ['(NAME, () => { expect(sum(1)); });', false],
  ['(NAME, () => { return; expect(sum(1)).toBe(1); });', false],
  ['(NAME, ({ skip }) => { skip(); expect(sum(1)).toBe(1); });', false],
  ['(NAME, (context) => { context.skip(); expect(sum(1)).toBe(1); });', false],
  ['(NAME, { skip: true }, () => { expect(sum(1)).toBe(1); });', false],
  ['.skip(NAME, () => { expect(sum(1)).toBe(1); });', false],
  ['.skipIf(true)(NAME, () => { expect(sum(1)).toBe(1); });', false],
  ['.runIf(false)(NAME, () => { expect(sum(1)).toBe(1); });', false],
  ['.fails(NAME, () => { expect(sum(1)).toBe(1); });', false],
  ['.each([])(NAME, (each) => { expect(each).toBe(1); });', false],
  ['.todo(NAME);', false],
  ['.only(NAME, () => { expect(sum(1)).toBe(1); });', false],
  [".only('another', () => {}); test(NAME, () => { expect(sum(1)).toBe(1); });", false],
  ['.length; /* test(NAME, () => { expect(sum(1)).toBe(1); }); */', false],
  [
    ".length; describe.skip('all', () => { test(NAME, () => { expect(sum(1)).toBe(1); }); });",
    false,
  ],
])('whether a test counts: test%s', (source, counts) => {
  const text = `test${source.replace('NAME', "'adds'")}\nfunction holds() { expect(sum(1)).toBe(1); }`;
  expect(runningTitles(text).has('adds')).toBe(counts);
});
