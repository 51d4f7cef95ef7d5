import { expect, test } from 'vitest';
import { firstLine } from './shorten.ts';

test('takes one line of a failure, and not all of it when it is endless', () => {
  expect(firstLine('It failed.\nat tool.js:1')).toBe('It failed.');
  expect(firstLine('x'.repeat(100_000))).toBe(`${'x'.repeat(300)} …`);
});
