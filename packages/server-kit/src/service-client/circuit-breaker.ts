import type { Clock } from './clock.ts';

export interface BreakerLimits {
  /** So many failures … */
  readonly failures: number;
  /** … within this time stop all requests, … */
  readonly withinMs: number;
  /** … until this time has passed and one request may try again. */
  readonly openMs: number;
}

/** What became of a request that was let through. */
type Report = (outcome: 'succeeded' | 'failed' | 'unknown') => void;

/** Stops requests to a service that keeps failing, and lets one through from time to time to see whether it is back. */
export interface CircuitBreaker {
  /** Lets a request through, which then has to report, or says in how many milliseconds one may try. */
  enter(): Report | number;
}

/** Creates a breaker that is closed. */
export function createCircuitBreaker(
  { failures, withinMs, openMs }: BreakerLimits,
  clock: Pick<Clock, 'monotonic'>,
): CircuitBreaker {
  let recent: readonly number[] = [];
  let openedAt: number | undefined;
  let isProbing = false;
  const reportNormal: Report = (outcome) => {
    const now = clock.monotonic();
    // A request that began before the breaker opened says nothing about the service now.
    if (openedAt !== undefined || outcome === 'unknown') return;
    if (outcome === 'succeeded') {
      recent = [];
      return;
    }
    recent = [...recent.filter((at) => now - at < withinMs), now];
    if (recent.length >= failures) openedAt = now;
  };
  const reportProbe: Report = (outcome) => {
    isProbing = false;
    if (outcome === 'failed') openedAt = clock.monotonic();
    if (outcome !== 'succeeded') return;
    openedAt = undefined;
    recent = [];
  };
  return {
    enter() {
      if (openedAt === undefined) return reportNormal;
      const waitMs = openedAt + openMs - clock.monotonic();
      if (waitMs > 0) return Math.ceil(waitMs);
      if (isProbing) return openMs;
      isProbing = true;
      return reportProbe;
    },
  };
}
