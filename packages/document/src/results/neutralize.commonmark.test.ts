import { readFileSync } from 'node:fs';
import { tests as examples } from 'commonmark-spec';
import { expect, test } from 'vitest';
import { findLiveFlaws } from '../testing/find-flaws.ts';
import { liveFlaw } from '../testing/live-flaw.ts';

test('nothing in a neutralised text is loaded, run or opened, and a second time changes nothing', () => {
  expect(findLiveFlaws(1, 1_500)).toEqual([]);
}, 120_000);

test.each(examples)('nothing is live in example $number of the specification', ({ markdown }) => {
  expect(liveFlaw(markdown.replaceAll('→', '\t'))).toBeNull();
});

const onceLive = JSON.parse(
  readFileSync(new URL('./fixtures/once-live.json', import.meta.url), 'utf8'),
) as readonly string[];
test.each(onceLive)('nothing is live in %j, a former regression', (text) => {
  expect(liveFlaw(text)).toBeNull();
});
