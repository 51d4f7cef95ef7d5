import { expect, test } from 'vitest';
import { systemClock } from './system-clock.ts';

test('a sleep ends after its time', async () => {
  const before = systemClock.now();
  await systemClock.sleep(20);
  expect(systemClock.now() - before).toBeGreaterThanOrEqual(19);
});

test.each(['before', 'while'])('a signal that fires %s it sleeps ends it', async (when) => {
  const controller = new AbortController();
  if (when === 'before') controller.abort('enough');
  const sleep = systemClock.sleep(600_000, controller.signal);
  controller.abort('enough');
  await expect(sleep).rejects.toBe('enough');
});
