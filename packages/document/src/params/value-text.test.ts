import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { random } from '../testing/random.ts';
import { valueText } from './value-text.ts';

test.each([
  ['plain', 'plain'],
  ['true', '"true"'],
  ['5', '"5"'],
  ['a: b # c', '"a: b # c"'],
  ['two\nlines', '"two\\nlines"'],
  ['two "quoted"\nlines', '"two \\"quoted\\"\\nlines"'],
  ['', '""'],
  [5, '5'],
  [true, 'true'],
  [null, 'null'],
  [['a', { b: 1 }], '["a",{"b":1}]'],
])('writes %j as %s, and it is read as the same', (value, text) => {
  expect(valueText(value)).toBe(text);
  expect(parse(`name: ${text}`)).toEqual({ name: value });
});

test('writes plain words as the library does, without asking it', () => {
  const { pick, below } = random(7);
  const letters = [...'aeEnNoOtTuUlLfFxy019_- '];
  for (let round = 0; round < 5_000; round += 1) {
    const length = 1 + below(6);
    const word = Array.from({ length }, () => pick(letters)).join('');
    expect(valueText(word)).toBe(stringify(word, { blockQuote: false, lineWidth: 0 }).trimEnd());
  }
});
