import { expect, test } from 'vitest';
import { entriesOf, entryCount, openLevels } from './json-outline.ts';

test('expands a small tree fully, and a large one to the first level', () => {
  expect(openLevels({ a: [1, { b: null }] })).toBe(Number.POSITIVE_INFINITY);
  expect(openLevels(Array.from({ length: 100 }, () => ({ a: 1 })))).toBe(1);
});

test('only objects and lists hold something', () => {
  expect(entriesOf({ a: 1 })).toEqual([['a', 1]]);
  expect([entriesOf(null), entriesOf('text'), entriesOf(1)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([entryCount([1]), entryCount({ a: 1, b: 2 })]).toEqual(['1 item', '2 fields']);
});
