import { expect, test } from 'vitest';
import { KeptFocus } from './kept-focus.ts';

test('restores the focus once, to the same element, and only for a short time', () => {
  const focus = new KeptFocus();
  focus.keep('a', 0);
  expect(focus.take('b', 1)).toBe(false);
  expect(focus.take('a', 1)).toBe(true);
  expect(focus.take('a', 1)).toBe(false);
  focus.keep('a', 0);
  expect(focus.take('a', 5_000)).toBe(false);
});
