import { type CallOutcome, HostError, type ToolInvocationRequest } from '@errand/host';
import type { OwnerInfo } from './lease/owner-info.ts';

/** The program that ran a call left before it answered. */
export class OwnerLost extends HostError {
  /** Whether the call cannot act twice, so that it may be made again. */
  readonly mayRepeat: boolean;

  constructor(
    { program, pid }: Pick<OwnerInfo, 'program' | 'pid'>,
    { wasStarted, mayRepeat }: { readonly wasStarted: boolean; readonly mayRepeat: boolean },
  ) {
    const effect = wasStarted
      ? 'The call may have taken effect; it was not repeated.'
      : 'It is not known whether the call began; it was not repeated.';
    const headline = `The program that ran the servers ended (${program}, process ${pid}).`;
    super('owner_lost', `${headline} ${effect}`, { headline, detail: effect });
    this.mayRepeat = mayRepeat;
  }
}

/** The outcome of a call that was lost with its owner. */
export function lostOutcome(
  { id }: ToolInvocationRequest,
  { code, message, facts }: OwnerLost,
  durationMs: number,
): CallOutcome {
  const error = { code, message, facts };
  return { requestId: id, attempts: 1, durationMs, status: 'error', error };
}
