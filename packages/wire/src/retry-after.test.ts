import { expect, test } from 'vitest';
import { retryAfter } from './retry-after.ts';

const now = Date.UTC(2026, 0, 1, 12, 0, 0);

test.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
  ['Thursday, 01-Jan-26 12:00:30 GMT', 30_000],
  ['Thu Jan  1 12:00:30 2026 GMT', 30_000],
  ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
  ['99999999999999999999', 86_400_000],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400_000],
  [undefined, undefined],
  ['', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['Thu, 99 Foo 2026', undefined],
])('reads %j', (header, milliseconds) => {
  expect(retryAfter(header, now)).toBe(milliseconds);
});
