import { expect, test } from 'vitest';
import { killAtEveryStep } from '../testing/kill-steps.ts';

test('sends one mail, whichever write, sync or request of sending it was killed before or after', async () => {
  const { moments, flaws } = await killAtEveryStep({ idempotency_key: '' });
  expect(flaws).toEqual([]);
  // The audit line, the claim, four further writes and three requests, each with two moments.
  expect(moments).toBeGreaterThanOrEqual(20);
}, 240_000);
