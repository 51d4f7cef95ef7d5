import { expect, test } from 'vitest';
import { TestClock } from '../testing/test-clock.ts';
import { createTokenBucket } from './token-bucket.ts';

test('spends what is there at once and then as fast as it comes back', async () => {
  const clock = new TestClock(60_000);
  const bucket = createTokenBucket({ perMinute: 6000, burst: 1000, clock });
  for (let count = 0; count < 10; count += 1) await bucket.take(100);
  expect(clock.skipped).toEqual([]);
  await bucket.take(100);
  await bucket.take(5);
  expect(clock.skipped).toEqual([1000, 50]);
});

test('serves those who wait in the order of asking, also behind a large one', async () => {
  const clock = new TestClock();
  const bucket = createTokenBucket({ perMinute: 600, burst: 100, clock });
  await bucket.take(100);
  const order: number[] = [];
  const asked = [50, 1].map((units) => bucket.take(units).then(() => order.push(units)));
  await expect.poll(() => clock.sleeping).toBe(1);
  clock.advance(4900);
  expect(order).toEqual([]);
  clock.advance(100);
  await asked[0];
  expect(order).toEqual([50]);
  await expect.poll(() => clock.sleeping).toBe(1);
  clock.advance(100);
  await asked[1];
  expect(order).toEqual([50, 1]);
});

test('lets through at once what is larger than the bucket, and makes the next ones wait for it', async () => {
  const clock = new TestClock(60_000);
  const bucket = createTokenBucket({ perMinute: 600, burst: 100, clock });
  await bucket.take(250);
  await bucket.take(1);
  expect(clock.skipped).toEqual([15_100]);
});

test('lets those who give up go, and the next one through', async () => {
  const clock = new TestClock();
  const bucket = createTokenBucket({ perMinute: 60, burst: 1, clock });
  await bucket.take(1);
  const giveUp = new AbortController();
  const first = bucket.take(1, giveUp.signal);
  const second = bucket.take(1);
  giveUp.abort(new Error('gave up'));
  await expect(first).rejects.toThrow('gave up');
  await expect.poll(() => clock.sleeping).toBe(1);
  clock.advance(1000);
  await second;
});
