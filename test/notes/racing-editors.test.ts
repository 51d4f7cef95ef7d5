import { expect, test } from 'vitest';
import { raceEditors } from './race-editors.ts';

// 25,000 edits are made by: npm run fuzz -- races
test('loses no edit of programs that save a note while results are written into it', {
  timeout: 60_000,
}, async () => {
  const { flaws, writes } = await raceEditors(1, 100);
  expect(flaws).toEqual([]);
  // Otherwise nothing was raced.
  expect(writes).toBeGreaterThan(0);
});
