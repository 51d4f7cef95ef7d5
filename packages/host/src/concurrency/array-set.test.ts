import { expect, test } from 'vitest';
import { ArraySet } from './array-set.ts';

test('holds members until each is removed, in any order', () => {
  const bag = new ArraySet<string>();
  const [takeA, takeB, takeC] = ['a', 'b', 'c'].map((member) => bag.add(member));
  takeA?.();
  expect([...bag].sort()).toEqual(['b', 'c']);
  takeC?.();
  const takeD = bag.add('d');
  takeB?.();
  expect([...bag]).toEqual(['d']);
  takeD();
  expect(bag.size).toBe(0);
});

test('removes a member once, and only that one', () => {
  const bag = new ArraySet<string>();
  const take = bag.add('a');
  bag.add('a');
  take();
  take();
  expect([...bag]).toEqual(['a']);
});

test('can be changed while it is iterated', () => {
  const bag = new ArraySet<number>();
  const takes = [1, 2, 3].map((member) => bag.add(member));
  const seen: number[] = [];
  for (const member of bag) {
    seen.push(member);
    for (const take of takes) take();
  }
  expect(seen).toEqual([1, 2, 3]);
});
