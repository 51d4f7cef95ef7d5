import { expect, test } from 'vitest';
import { difference } from './difference.ts';

const long = 'Some words.\n'.repeat(2_000);
const middle = 12_000;

test.each([
  ['same', 'same', undefined],
  ['', 'x', { from: 0, toBefore: 0, toAfter: 1 }],
  ['aa', 'aaa', { from: 2, toBefore: 2, toAfter: 3 }],
  ['abc', 'axc', { from: 1, toBefore: 2, toAfter: 2 }],
  [long, long, undefined],
  [long, `${long}x`, { from: long.length, toBefore: long.length, toAfter: long.length + 1 }],
  [`x${long}`, long, { from: 0, toBefore: 1, toAfter: 0 }],
])('finds the one stretch that differs', (before, after, expected) => {
  expect(difference(before, after)).toEqual(expected);
});

test.each([0, 1, 4_095, 4_096, 4_097, middle, long.length - 1, long.length])(
  'finds a word that was put into a long text at %d',
  (at) => {
    const after = `${long.slice(0, at)}%${long.slice(at)}`;
    expect(difference(long, after)).toEqual({ from: at, toBefore: at, toAfter: at + 1 });
    expect(difference(after, long)).toEqual({ from: at, toBefore: at + 1, toAfter: at });
  },
);
