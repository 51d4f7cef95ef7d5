import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeControls } from './escape-controls.ts';

test('escapes characters that hide or reorder text, and keeps line breaks and tabs', () => {
  expect(escapeControls('a\u202Etxt.exe\u2066 b')).toBe('a\\u202etxt.exe\\u2066 b');
  expect(escapeControls('\u001b]0;title\u0007\u0085')).toBe('\\u001b]0;title\\u0007\\u0085');
  expect(escapeControls('one\r\n\ttwo\n')).toBe('one\r\n\ttwo\n');
  expect(escapeControls('hidden\rline')).toBe('hidden\\u000dline');
  expect(escapeControls('a\u200Bb\uFEFFc\u2028d')).toBe('a\\u200bb\\ufeffc\\u2028d');
});

test('escapes invisible letters', () => {
  for (const filler of ['034f', '115f', '1160', '17b4', '17b5', '180e', '3164', 'ffa0']) {
    const letter = String.fromCharCode(Number.parseInt(filler, 16));
    expect(escapeControls(`a${letter}b`)).toBe(`a\\u${filler}b`);
  }
});

test('keeps the joiners that scripts and emoji need', () => {
  for (const text of [
    'می\u200Cخواهم',
    '👩\u200D👩\u200D👧',
    '❤\uFE0F',
    'Straße 北京 עברית',
    '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  ]) {
    expect(escapeControls(text)).toBe(text);
  }
});

test('escapes tag characters, which are invisible but spell text', () => {
  expect(escapeControls('a\u{E0041}')).toBe('a\\udb40\\udc41');
  expect(escapeControls('🏴\u{E0041}')).toBe('🏴\\udb40\\udc41');
});

test('is idempotent, and keeps the meaning of JSON', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  fc.assert(
    fc.property(text, (raw) => {
      const escaped = escapeControls(raw);
      expect(escapeControls(escaped)).toBe(escaped);
      expect(JSON.parse(escapeControls(JSON.stringify(raw)))).toBe(raw);
    }),
    { seed: 1, numRuns: 500 },
  );
});
