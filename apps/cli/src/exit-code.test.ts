import { expect, test } from 'vitest';
import { worstOf } from './exit-code.ts';

test('cancelled outweighs usage, usage outweighs refused, refused outweighs failed', () => {
  expect(worstOf([0, 1, 3, 2, 130])).toBe(130);
  expect(worstOf([0, 1, 3, 2])).toBe(2);
  expect(worstOf([0, 1, 3])).toBe(3);
  expect(worstOf([0, 1])).toBe(1);
  expect(worstOf([])).toBe(0);
});
