import { expect, test } from 'vitest';
import { findResultFlaws } from '../testing/find-flaws.ts';

test('harms no note, whatever the note and the results', () => {
  expect(findResultFlaws(1, 300)).toEqual([]);
});
