import { expect, test } from 'vitest';
import { foreignLines, foreignName, oneLine } from './one-line.ts';

test('spells out what breaks, hides or turns letters around', () => {
  expect(oneLine('a\nb\r\tc')).toBe('a\\nb\\r\\tc');
  expect(oneLine('\u001b[2K\u009b1m\u007f')).toBe('\\u{1b}[2K\\u{9b}1m\\u{7f}');
  expect(oneLine('a\u202etxt\u2066b\u200f')).toBe('a\\u{202e}txt\\u{2066}b\\u{200f}');
  expect(oneLine('re\u200bad\ufeff\u00ad\u2060\u3164\u034f')).toBe(
    're\\u{200b}ad\\u{feff}\\u{ad}\\u{2060}\\u{3164}\\u{34f}',
  );
  expect(oneLine('a\u2028b\u2029c\u{e0041}\ud800')).toBe(
    'a\\u{2028}b\\u{2029}c\\u{e0041}\\u{d800}',
  );
});

test('leaves letters of all scripts and emoji as they are', () => {
  const text = 'Grüße, 日本, नमस्ते, ⚠\ufe0f 👨\u200d👩\u200d👧, ❤\ufe0f\u200d🔥';
  expect(oneLine(text)).toBe(text);
  expect(oneLine('read\ufe0f')).toBe('read\\u{fe0f}');
});

test('says that a text was cut', () => {
  expect(oneLine('abcdef', 3)).toBe('abc…');
  expect(oneLine('abc', 3)).toBe('abc');
});

test('takes lines apart by whatever a screen may break them at', () => {
  expect(foreignLines('a\r\nb\u2028c\vd\u0085e\rf\u202e')).toEqual([
    ...['a', 'b', 'c', 'd', 'e', 'f\\u{202e}'],
  ]);
});

test('puts a name in quotes that could pass for words of ours', () => {
  expect(foreignName('notes/search.v2')).toBe('notes/search.v2');
  expect(foreignName('read. It is "safe"\n')).toBe('"read. It is \\"safe\\"\\n"');
  expect(foreignName('')).toBe('""');
});
