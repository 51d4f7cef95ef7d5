import { ManualClock } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { Throttle } from './throttle.ts';

function open() {
  const clock = new ManualClock();
  const faults: unknown[] = [];
  const throttle = new Throttle((error) => faults.push(error), clock);
  const ran: string[] = [];
  const tell = (key: string, text: string) => throttle.run(key, () => ran.push(text));
  return { clock, faults, throttle, ran, tell };
}

test('runs the first at once, and of the others the last when the interval ends', async () => {
  const { clock, ran, tell } = open();
  for (const text of ['one', 'two', 'three']) tell('a', text);
  tell('b', 'another key');
  expect(ran).toEqual(['one', 'another key']);
  await clock.advance(100);
  expect(ran).toEqual(['one', 'another key', 'three']);
  tell('a', 'four');
  expect(ran).not.toContain('four');
  await clock.advance(100);
  expect(ran.at(-1)).toBe('four');
});

test('runs nothing that was dropped, and nothing after it was disposed', async () => {
  const { clock, throttle, ran, tell } = open();
  for (const text of ['one', 'two']) tell('a', text);
  throttle.drop('a');
  await clock.advance(100);
  for (const text of ['three', 'four']) tell('a', text);
  throttle[Symbol.dispose]();
  await clock.advance(1_000);
  expect(ran).toEqual(['one', 'three']);
  expect(clock.sleepers).toBe(0);
});

test('reports what a delayed action throws, and goes on', async () => {
  const { clock, faults, throttle, ran, tell } = open();
  tell('a', 'one');
  throttle.run('a', () => {
    throw new Error('broken');
  });
  await clock.advance(100);
  expect(faults).toMatchObject([{ message: 'broken' }]);
  await clock.advance(100);
  tell('a', 'two');
  expect(ran).toEqual(['one', 'two']);
});
