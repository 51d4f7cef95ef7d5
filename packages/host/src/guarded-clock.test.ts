import { expect, test } from 'vitest';
import { guardedClock } from './guarded-clock.ts';
import { ManualClock } from './testing/manual-clock.ts';

test('a timer that fails is reported and does not end the program', async () => {
  const faults: unknown[] = [];
  const clock = new ManualClock();
  const guarded = guardedClock(clock, (error) => faults.push(error));
  const fault = new Error('a defect');
  guarded.after(5, () => {
    throw fault;
  });
  await clock.advance(5);
  expect(faults).toEqual([fault]);
  expect(guarded.now()).toBe(clock.now());
});
