import { expect, test } from 'vitest';
import { firstLine } from './shorten.ts';

test('takes the first line of a failure, and shortens it', () => {
  expect(firstLine('It failed.\nat tool.js:1')).toBe('It failed.');
  expect(firstLine('x'.repeat(100_000))).toBe(`${'x'.repeat(300)} …`);
});
