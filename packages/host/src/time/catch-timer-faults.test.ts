import { expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { catchTimerFaults } from './catch-timer-faults.ts';

test('a timer that fails is reported and does not end the program', async () => {
  const faults: unknown[] = [];
  const clock = new ManualClock();
  const guarded = catchTimerFaults(clock, (error) => faults.push(error));
  const fault = new Error('a defect');
  guarded.after(5, () => {
    throw fault;
  });
  await clock.advance(5);
  expect(faults).toEqual([fault]);
  expect(guarded.now()).toBe(clock.now());
});
