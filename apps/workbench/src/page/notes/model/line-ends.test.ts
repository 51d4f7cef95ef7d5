import { expect, test } from 'vitest';
import { plainLineEnds, withLineEnds } from './line-ends.ts';

test.each([
  ['a\nb\n', 'a\nc\n', 'a\nc\n'],
  ['a\r\nb\r\n', 'a\nx\nb\n', 'a\r\nx\r\nb\r\n'],
  ['a\r\nb\nc\r\n', 'a\nb\nc\nd', 'a\r\nb\nc\r\nd'],
  ['a\nb\nc\nd\r\n', 'a\nb\nx\nc\nd\n', 'a\nb\nx\nc\nd\r\n'],
  ['a\rb\r', 'a\nb\nc\n', 'a\rb\rc\n'],
  ['a\r\n', '', ''],
  ['\r\n', '\n', '\r\n'],
])('%j edited to %j is stored as %j', (original, edited, stored) => {
  expect(withLineEnds(original, edited)).toBe(stored);
  expect(plainLineEnds(stored)).toBe(edited);
});
