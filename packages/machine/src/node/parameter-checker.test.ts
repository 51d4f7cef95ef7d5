import { expect, test } from 'vitest';
import { findParameterFlaws } from '../testing/find-parameter-flaws.ts';

// The whole of it: npm run fuzz -- parameters
test('a check ends with a yes or with invalid_params, whatever schema and parameters are', async () => {
  expect(await findParameterFlaws(1, 500)).toEqual([]);
});
