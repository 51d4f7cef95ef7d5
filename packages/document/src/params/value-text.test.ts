import { expect, test } from 'vitest';
import { parse } from 'yaml';
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
