import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryKeeper } from './memory-keeper.ts';

const mebibyte = 1024 * 1024;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('collects when the server has been quiet for a while', () => {
  const { keeper, heap } = setUp(100);
  keeper.rest();
  vi.advanceTimersByTime(999);
  expect(heap.collected).toBe(0);
  vi.advanceTimersByTime(1);
  expect(heap.collected).toBe(1);
});

test('does not collect while there is work', () => {
  const { keeper, heap } = setUp(100);
  keeper.rest();
  vi.advanceTimersByTime(900);
  keeper.work();
  vi.advanceTimersByTime(5_000);
  keeper.rest();
  vi.advanceTimersByTime(900);
  keeper.rest();
  vi.advanceTimersByTime(900);
  expect(heap.collected).toBe(0);
});

test('does not collect again before enough has come together', () => {
  const { keeper, heap } = setUp(100);
  expect(keeper.relieve()).toBe(50 * mebibyte);
  heap.used = 66 * mebibyte;
  keeper.rest();
  vi.advanceTimersByTime(1_000);
  expect(heap.collected).toBe(1);
  heap.used += 1;
  keeper.rest();
  vi.advanceTimersByTime(1_000);
  expect(heap.collected).toBe(2);
});

function setUp(used: number) {
  const heap = { used: used * mebibyte, collected: 0 };
  const keeper = new MemoryKeeper(
    () => heap.used,
    () => {
      heap.collected += 1;
      heap.used = 50 * mebibyte;
    },
  );
  return { keeper, heap };
}
