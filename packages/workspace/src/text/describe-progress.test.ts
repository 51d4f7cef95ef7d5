import { expect, test } from 'vitest';
import { describeProgress } from './describe-progress.ts';

test.each([
  [{ progress: 3 }, '3'],
  [{ progress: 3, total: 9 }, '3 of 9'],
  [{ progress: 3, total: 9, message: 'Reading' }, '3 of 9: Reading'],
])('%j', (progress, text) => {
  expect(describeProgress(progress)).toBe(text);
});
