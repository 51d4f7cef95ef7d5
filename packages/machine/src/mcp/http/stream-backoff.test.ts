import { expect, test } from 'vitest';
import { nextStreamWait, notificationStream, responseStream } from './stream-backoff.ts';

const useless = { livedMs: 0, messages: 0, retry: 0 };

test('waits twice as long after each stream that brought nothing, up to a minute', () => {
  const waits: number[] = [];
  for (let times = 0; times < 8; times += 1) {
    waits.push(nextStreamWait(waits.at(-1), useless, notificationStream));
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
});

test('begins anew after a stream that lived a while or brought a message', () => {
  expect(nextStreamWait(32_000, { ...useless, livedMs: 30_000 }, notificationStream)).toBe(1000);
  expect(nextStreamWait(32_000, { ...useless, messages: 1 }, notificationStream)).toBe(1000);
});

test('waits as long as the server says, within bounds', () => {
  const wait = (retry: number) => nextStreamWait(undefined, { ...useless, retry }, responseStream);
  expect([0, 500, 1e9].map(wait)).toEqual([100, 500, 15_000]);
});
