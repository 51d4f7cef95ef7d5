import { expect, test } from 'vitest';
import { jsonExcess, maxLevels, maxValues } from './json-excess.ts';

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test('counts the levels of a text', () => {
  expect(jsonExcess(nested(maxLevels))).toBeUndefined();
  expect(jsonExcess(nested(maxLevels + 1))).toBe('levels');
  expect(jsonExcess('{"a":'.repeat(maxLevels + 1))).toBe('levels');
  expect(jsonExcess(`[${`${nested(maxLevels - 1)},`.repeat(100)}0]`)).toBeUndefined();
});

test('counts the values of a text, whatever they are', () => {
  for (const value of ['{}', '[]', '0', '""', '{"type":"text","text":""}']) {
    const text = `[${`${value},`.repeat(maxValues)}0]`;
    expect(jsonExcess(text)).toBe('values');
    expect(jsonExcess(`[${`${value},`.repeat(maxValues / 4)}0]`)).toBeUndefined();
  }
});

test('ignores brackets and commas inside strings', () => {
  const brackets = '[{,'.repeat(maxValues);
  for (const before of ['', '\\"', 'x'.repeat(63), 'x'.repeat(64), `${'x'.repeat(100)}\\\\\\"`]) {
    expect(jsonExcess(`["${before}${brackets}"]`)).toBeUndefined();
    expect(jsonExcess(`["${before}\\\\",${brackets}`)).toBe('levels');
    expect(jsonExcess(`["${before}${'y'.repeat(100)}\\\\",${brackets}`)).toBe('levels');
  }
});

test('terminates for text that is not JSON', () => {
  for (const text of ['"', '"\\', ']]]]', '"\\"', '\\"', `"${'\\'.repeat(1001)}`]) {
    const long = `${' '.repeat(2 * maxLevels)}${text}`;
    expect(jsonExcess(long)).toBeUndefined();
    expect(jsonExcess(`${long}${'x'.repeat(100)}`)).toBeUndefined();
  }
});
