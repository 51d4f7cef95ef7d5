import { expect, test } from 'vitest';
import { killRuns } from './kill-runs.ts';

// All 200 are killed by: npm run fuzz -- kills
test('a run that is killed at any moment leaves the note whole', { timeout: 300_000 }, async () => {
  const { flaws, partly, leftBehind } = await killRuns(1, 20);
  expect(flaws).toEqual([]);
  // Otherwise the kills missed the moments that matter.
  expect(partly).toBeGreaterThan(0);
  expect(leftBehind).toBeGreaterThan(0);
});
