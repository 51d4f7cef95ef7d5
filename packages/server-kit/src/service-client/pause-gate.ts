import { raceSignal } from '@errand/wire';
import type { Clock } from './clock.ts';

interface PauseLimits {
  /** The first pause when the service does not say how long; each further one is twice as long … */
  readonly firstMs: number;
  /** … up to this. */
  readonly longestMs: number;
}

/** What became of a request that was let through; `limited`: the service asked to slow down. */
type Outcome =
  | { readonly kind: 'answered' | 'unknown' }
  | { readonly kind: 'limited'; readonly retryAfterMs: number | undefined };

/** Holds all requests back while the service wants a pause, and then lets one through to see whether it is over. */
export interface PauseGate {
  /** Waits until a request may be made, which then has to report; or says how long the pause is if it is longer than that. */
  enter(patienceMs: number, signal: AbortSignal): Promise<((outcome: Outcome) => void) | number>;
  /** Milliseconds until the pause is over. */
  pausedMs(): number;
}

/** Creates a gate that is open. */
export function createPauseGate({ firstMs, longestMs }: PauseLimits, clock: Clock): PauseGate {
  let until = 0;
  /** How many pauses the service has asked for in a row. */
  let pauses = 0;
  let probe: PromiseWithResolvers<void> | undefined;
  const pausedMs = () => Math.max(0, until - clock.monotonic());

  const report = (outcome: Outcome) => {
    if (outcome.kind === 'answered') pauses = 0;
    if (outcome.kind !== 'limited') return;
    const { retryAfterMs } = outcome;
    // Requests that were under way together are refused together: that is one pause.
    if (pausedMs() === 0) pauses += 1;
    else if (retryAfterMs === undefined) return;
    const wait = retryAfterMs ?? Math.min(firstMs * 2 ** (pauses - 1), longestMs);
    until = Math.max(until, clock.monotonic() + wait);
  };

  return {
    pausedMs,
    async enter(patienceMs, signal) {
      const endsAt = clock.monotonic() + patienceMs;
      for (;;) {
        const waitMs = pausedMs();
        if (clock.monotonic() + waitMs > endsAt) return Math.ceil(waitMs);
        if (waitMs > 0) await clock.sleep(Math.ceil(waitMs), signal);
        else if (pauses === 0) return report;
        else if (probe !== undefined) await raceSignal(probe.promise, signal);
        else {
          const own = Promise.withResolvers<void>();
          probe = own;
          return (outcome) => {
            probe = undefined;
            report(outcome);
            own.resolve();
          };
        }
      }
    },
  };
}
