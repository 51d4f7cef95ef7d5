import { expect, test } from 'vitest';
import type { Session } from '../../contract.ts';
import { byUrgency } from './session-order.ts';

test('sessions at their limit come first, then those near it, then the busiest', () => {
  const session = (note: string, level: Session['level'], executed: number): Session => ({
    id: note,
    note,
    conversation: null,
    executed,
    limit: 25,
    level,
  });
  const sessions = [
    session('quiet', 'ok', 1),
    session('busy', 'ok', 12),
    session('near', 'near', 21),
    session('full', 'reached', 25),
  ];
  expect(sessions.toSorted(byUrgency).map(({ id }) => id)).toEqual([
    'full',
    'near',
    'busy',
    'quiet',
  ]);
});
