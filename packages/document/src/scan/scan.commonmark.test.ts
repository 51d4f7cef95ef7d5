import { readFileSync } from 'node:fs';
import { tests as examples } from 'commonmark-spec';
import { describe, expect, test } from 'vitest';
import { compareWithCommonmark } from '../testing/compare-with-commonmark.ts';
import { findReadingFlaws } from '../testing/find-flaws.ts';

describe('fences and headings are those of the reference implementation', () => {
  test('in generated hostile notes', () => {
    expect(findReadingFlaws(1, 20_000)).toEqual([]);
  }, 120_000);

  test.each(examples)('in example $number of the specification', ({ markdown }) => {
    // The specification writes tabs as arrows.
    const { ours, reference } = compareWithCommonmark(markdown.replaceAll('→', '\t'));
    expect(ours).toEqual(reference);
  });

  const onceMisread = JSON.parse(
    readFileSync(new URL('./fixtures/once-misread.json', import.meta.url), 'utf8'),
  ) as readonly string[];
  test.each(onceMisread)('in %j, a former regression', (note) => {
    const { ours, reference } = compareWithCommonmark(note);
    expect(ours).toEqual(reference);
  });
});
