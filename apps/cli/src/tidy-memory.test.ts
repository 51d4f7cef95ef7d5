import type { HostEvent } from '@errand/host';
import { expect, onTestFinished, test, vi } from 'vitest';
import { tidyMemory } from './tidy-memory.ts';

const megabyte = 1024 * 1024;

test('gives memory back once it is quiet, and again only when much more was used', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let happen: () => void = () => {};
  const events = {
    subscribe(listener: (event: HostEvent) => void) {
      happen = () => listener({ kind: 'settings-changed' });
      return () => {};
    },
  };
  let used = 100 * megabyte;
  let collections = 0;
  const collect = () => {
    collections += 1;
    used = 80 * megabyte;
  };
  using _ = tidyMemory(events, { memory: () => used, collect, quietMs: 1_000 });
  vi.advanceTimersByTime(1_900);
  happen();
  vi.advanceTimersByTime(1_000);
  expect(collections).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(collections).toBe(1);

  used = 120 * megabyte;
  happen();
  vi.advanceTimersByTime(5_000);
  expect(collections).toBe(1);
  used = 160 * megabyte;
  happen();
  vi.advanceTimersByTime(2_000);
  expect(collections).toBe(2);
  vi.advanceTimersByTime(60_000);
  expect(vi.getTimerCount()).toBe(0);
});
