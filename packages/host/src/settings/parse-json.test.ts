import { expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';

test.each([
  ['{\n  "version": 1,\n}', 3, 1, 'must go'],
  ['{\n  // servers\n  "version": 1\n}', 2, 3, 'JSON has no comments'],
  ['{ "a": 1 "b": 2 }', 1, 10, 'a comma is missing'],
  ['{ "a": "b', 1, 8, 'closing double quote'],
  ['{ "a": [1, 2 }', 1, 14, 'is missing'],
  ["{ 'a': 1 }", 1, 3, 'double quotes'],
  ['{ "a": 1 }\r\n}', 2, 1, 'delete the rest'],
  ['', 1, 1, 'the file is empty'],
])('says where %j is broken and how to fix it', (text, line, column, expected) => {
  expect(() => parseJson(text, 'settings.json')).toThrow(
    expect.objectContaining({ code: 'settings_invalid', facts: { line, column } }),
  );
  expect(() => parseJson(text, 'settings.json')).toThrow(
    `settings.json, line ${line}, column ${column}: `,
  );
  expect(() => parseJson(text, 'settings.json')).toThrow(expected);
});

test('refuses brackets without end instead of running out of stack', () => {
  expect(() => parseJson('['.repeat(200_000), 'f')).toThrow('nested too deeply');
});

test('reads a file that begins with a byte order mark', () => {
  expect(parseJson('\uFEFF{ "a": 4 }', 'f').value).toEqual({ a: 4 });
});

test('finds the place of a value, or of what is around it', () => {
  const document = parseJson('{\n  "a": [1,\n    { "b": 2 }]\n}', 'f');
  expect(document.locate(['a', 1, 'b'])).toEqual({ line: 3, column: 7 });
  expect(document.locate(['a', 1, 'missing'])).toEqual({ line: 3, column: 5 });
  expect(document.locate(['missing'])).toEqual({ line: 1, column: 1 });
});

test('finds keys that are written twice, at any depth', () => {
  const document = parseJson('{ "a": { "b": 1, "b": 2 }, "c": [{ "d": 1, "d": 1 }] }', 'f');
  expect(document.repeatedKeys).toEqual([
    ['a', 'b'],
    ['c', 0, 'd'],
  ]);
});
