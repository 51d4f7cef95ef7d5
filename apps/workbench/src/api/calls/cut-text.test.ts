import { expect, test } from 'vitest';
import { closeJson, cutText } from './cut-text.ts';

test.each([
  ['[1, 2, 3', [1, 2]],
  ['[1, 2, ', [1, 2]],
  ['{"a": {"b": [true, nul', { a: { b: [true] } }],
  ['{"a": 1, "b', { a: 1 }],
  ['{"a": 1, "b":', { a: 1 }],
  ['{"a": "a long te', { a: 'a long te…' }],
  ['["half an escape \\u00', ['half an escape …']],
  ['["a \\"quote\\" and \\', ['a "quote" and …']],
  ['{"a": [{}, {"b": "x"}', { a: [{}, { b: 'x' }] }],
  ['{', {}],
])('what is cut to %s is closed after its last whole value', (start, value) => {
  expect(JSON.parse(closeJson(start))).toEqual(value);
});

test('JSON stays readable wherever it is cut, and loses only its end', () => {
  const value = { items: [{ id: 1, text: 'a, [b] {c}: "d" \\ 😀' }, -1.5e3, null, [], {}, true] };
  for (const space of [undefined, 2]) {
    const whole = JSON.stringify(value, undefined, space);
    for (let most = 1; most < whole.length; most += 1) {
      const cut = cutText('json', whole, most);
      expect(() => JSON.parse(cut), cut).not.toThrow();
    }
    expect(cutText('json', whole, whole.length)).toBe(whole);
  }
  expect(cutText('text', 'abcdef', 3)).toBe('abc');
});
