import { expect, test } from 'vitest';
import { countOutcomes } from './describe-outcomes.ts';

test('counts each way to end, the good first', () => {
  const statuses = ['cancelled', 'success', 'timeout', 'success', 'refused'] as const;
  expect(countOutcomes(statuses.map((status) => ({ status })))).toBe(
    '2 done, 1 timed out, 1 refused, 1 cancelled',
  );
});
