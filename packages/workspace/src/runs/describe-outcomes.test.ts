import { expect, test } from 'vitest';
import { countOutcomes } from './describe-outcomes.ts';

test('counts each way to end, the good first', () => {
  const statuses = ['cancelled', 'success', 'timeout', 'success', 'refused', 'skipped'] as const;
  const left = { status: 'skipped', error: { code: 'already_done', message: '' } } as const;
  expect(countOutcomes([left, ...statuses.map((status) => ({ status, error: null }))])).toBe(
    '2 done, 1 timed out, 1 refused, 1 skipped, 1 cancelled, 1 already done',
  );
});
