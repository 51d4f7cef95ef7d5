import { expect, test } from 'vitest';
import { applyEdits } from './edits.ts';
import { dominantLineEnd } from './line-end.ts';

test('edits are made together, each by the offsets of the old text', () => {
  const edits = [
    { range: [4, 5], text: 'E' },
    { range: [0, 2], text: '' },
    { range: [2, 2], text: '[' },
  ] as const;
  expect(applyEdits('abcde', edits)).toBe('[cdE');
  expect(applyEdits('abc', [])).toBe('abc');
});

test('edits that overlap or lie outside are refused', () => {
  const overlapping = [
    { range: [0, 3], text: 'x' },
    { range: [2, 4], text: 'y' },
  ] as const;
  expect(() => applyEdits('abcde', overlapping)).toThrow(RangeError);
  expect(() => applyEdits('abc', [{ range: [2, 9], text: '' }])).toThrow(RangeError);
  expect(() => applyEdits('abc', [{ range: [2, 1], text: '' }])).toThrow(RangeError);
});

test('the line end is the one used most', () => {
  expect(dominantLineEnd('abc')).toBe('\n');
  expect(dominantLineEnd('a\r\nb\r\nc\n')).toBe('\r\n');
  expect(dominantLineEnd('a\r\nb\nc\n')).toBe('\n');
  expect(dominantLineEnd('a\rb\rc\n')).toBe('\r');
});
