import { type CallOutcome, HostError, type ToolInvocationRequest } from '@errand/host';
import type { OwnerInfo } from './lease/owner-info.ts';

interface LostCall {
  readonly wasStarted: boolean;
  readonly mayRepeat: boolean;
  readonly wasNeverSent?: boolean;
}

/** The program that ran a call left before it answered. */
export class OwnerLost extends HostError {
  /** Whether the call cannot act twice, so that it may be made again. */
  readonly mayRepeat: boolean;
  /** Whether the call did not reach the program. */
  readonly wasNeverSent: boolean;

  constructor(
    owner: Pick<OwnerInfo, 'program' | 'pid'> | 'this program',
    { wasStarted, mayRepeat, wasNeverSent = false }: LostCall,
  ) {
    const effect = wasStarted
      ? 'The call may have taken effect; it was not repeated.'
      : 'It is not known whether the call began; it was not repeated.';
    const headline =
      owner === 'this program'
        ? 'Another program has taken over the servers of this vault.'
        : `The program that ran the servers ended (${owner.program}, process ${owner.pid}).`;
    super('owner_lost', `${headline} ${effect}`, { headline, detail: effect });
    this.mayRepeat = mayRepeat;
    this.wasNeverSent = wasNeverSent;
  }
}

/** The outcome of a call that no owner answered. */
export function unansweredOutcome(
  { id }: ToolInvocationRequest,
  { code, message, facts }: HostError,
  durationMs: number,
): CallOutcome {
  const isWanted = code === 'cancelled' || code === 'stopped';
  const status = isWanted ? 'cancelled' : 'error';
  return { requestId: id, attempts: 1, durationMs, status, error: { code, message, facts } };
}
