import type { BlockOutcome } from '@errand/host';

/** A word for how a block ended. */
export const outcomeLabels: Readonly<Record<BlockOutcome['status'], string>> = {
  success: 'done',
  error: 'failed',
  timeout: 'timed out',
  refused: 'refused',
  skipped: 'skipped',
  cancelled: 'cancelled',
};

/** Counts how blocks ended: `2 done, 1 failed`. */
export function countOutcomes(outcomes: readonly Pick<BlockOutcome, 'status'>[]): string {
  return Object.entries(outcomeLabels)
    .map(([status, label]) => {
      const count = outcomes.filter((outcome) => outcome.status === status).length;
      return count === 0 ? '' : `${count} ${label}`;
    })
    .filter((part) => part !== '')
    .join(', ');
}
