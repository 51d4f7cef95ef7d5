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

type Outcome = Pick<BlockOutcome, 'status' | 'error'>;

/** A word for how a block ended, which tells those apart that were left as they are. */
export function outcomeLabel(outcome: Outcome): string {
  return isAlreadyDone(outcome) ? 'already done' : outcomeLabels[outcome.status];
}

/** Whether a block was left as it is because a second call could act a second time. */
export function isAlreadyDone({ error }: Outcome): boolean {
  return error?.code === 'already_done';
}

/** Counts how blocks ended: `2 done, 1 failed, 3 already done`. */
export function countOutcomes(outcomes: readonly Outcome[]): string {
  const counts = Map.groupBy(outcomes, outcomeLabel);
  return [...Object.values(outcomeLabels), 'already done']
    .flatMap((label) => {
      const count = counts.get(label)?.length;
      return count === undefined ? [] : `${count} ${label}`;
    })
    .join(', ');
}
