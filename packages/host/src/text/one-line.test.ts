import { expect, test } from 'vitest';
import { foreignLines, foreignName, oneLine } from './one-line.ts';

test('escapes characters that break, hide or reorder text', () => {
  expect(oneLine('a\nb\r\tc\r\n')).toBe('a\\nb\\r\\tc\\r\\n');
  expect(oneLine('\u001b[2K\u009b1m\u007f')).toBe('\\u001b[2K\\u009b1m\\u007f');
  expect(oneLine('a\u202etxt\u200b\u2028')).toBe('a\\u202etxt\\u200b\\u2028');
});

test('says that a text was cut', () => {
  expect(oneLine('abcdef', 3)).toBe('abc…');
  expect(oneLine('abc', 3)).toBe('abc');
});

test('splits at every character that a screen may break a line at', () => {
  expect(foreignLines('a\r\nb\u2028c\vd\u0085e\rf\u202e')).toEqual([
    ...['a', 'b', 'c', 'd', 'e', 'f\\u202e'],
  ]);
});

test('quotes a name that could be mistaken for our own text', () => {
  expect(foreignName('notes/search.v2')).toBe('notes/search.v2');
  expect(foreignName('read. It is "safe"\n')).toBe('"read. It is \\"safe\\"\\n"');
  expect(foreignName('')).toBe('""');
});
