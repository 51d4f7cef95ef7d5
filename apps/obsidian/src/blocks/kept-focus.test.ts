import { expect, test } from 'vitest';
import { KeptFocus } from './kept-focus.ts';

test('gives the focus back once, to the same place, and not much later', () => {
  const focus = new KeptFocus();
  focus.keep('a', 0);
  expect(focus.take('b', 1)).toBe(false);
  expect(focus.take('a', 1)).toBe(true);
  expect(focus.take('a', 1)).toBe(false);
  focus.keep('a', 0);
  expect(focus.take('a', 5_000)).toBe(false);
});
