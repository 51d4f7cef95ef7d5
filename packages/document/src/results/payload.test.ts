import { expect, test } from 'vitest';
import { normalizePayload } from './payload.ts';

const esc = '\u001b';

test.each([
  ['colours', `${esc}[31mred${esc}[0m`, 'red'],
  ['a sequence inside another', `a${esc}${esc}[31m[31mred`, 'a[31mred'],
  ['a sequence of one control character', 'a\u009b31mred', 'ared'],
  [
    'the title of a window',
    `a${esc}]0;title\u0007b${esc}]0;title${esc}\\c\u009d0;t\u009cd`,
    'abcd',
  ],
  ['a device control string', `a${esc}Pq#0;2${esc}\\b\u0090q\u009cc`, 'abc'],
  [
    'application and privacy strings',
    `a${esc}_x${esc}\\b${esc}^y${esc}\\c${esc}Xz${esc}\\d`,
    'abcd',
  ],
  ['a string that was left open', `a${esc}Prest\nof it`, 'arest\nof it'],
  ['a character set and a reset', `a${esc}(Bb${esc}cc`, 'abc'],
  ['what is left of a sequence', `a${esc}\nb\u0090\u009c\u008dc`, 'a\nbc'],
  ['overstruck text', 'B\bBo\bol\bld _\bu', 'Bold u'],
  ['backspaces before the start of a line', 'a\n\b\bb', 'a\nb'],
  ['backspaces over a character outside of the basic plane', 'a😀\bb', 'ab'],
  ['a next line character', 'a\u0085b', 'a\u0085b'],
  ['line ends', 'a\r\nb\rc\n\n', 'a\nb\nc'],
])('normalises %s', (_name, raw, expected) => {
  expect(normalizePayload(raw)).toBe(expected);
});

test.each([`${esc}P`, `${esc}]`, '\u0090', `${esc}[`, 'a\b', `${esc} `])(
  'reads many of %j in linear time, and leaves none',
  (start) => {
    const started = performance.now();
    const clean = normalizePayload(start.repeat(200_000));
    expect(performance.now() - started).toBeLessThan(2000);
    expect(normalizePayload(clean)).toBe(clean);
    expect(['\b', esc, '\u0090'].some((control) => clean.includes(control))).toBe(false);
  },
);
