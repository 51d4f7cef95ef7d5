import { expect, test } from 'vitest';
import { harmlessText } from './harmless-text.ts';

test('shows what would hide or turn words around, and keeps lines and tabs', () => {
  expect(harmlessText('a\u202Etxt.exe\u2066 b')).toBe('a\ufffdtxt.exe\ufffd b');
  expect(harmlessText('\u001b]0;title\u0007')).toBe('\u241b]0;title\u2407');
  expect(harmlessText('one\r\n\ttwo\n')).toBe('one\r\n\ttwo\n');
});
