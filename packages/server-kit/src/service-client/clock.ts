import { setTimeout as sleep } from 'node:timers/promises';

/** The source of time and timers, so that tests can control it. */
export interface Clock {
  /** The time of day, in milliseconds; it may be set back. */
  now(): number;
  /** A monotonic time in milliseconds, for measuring durations. */
  monotonic(): number;
  /** Resolves after that many milliseconds; rejects when the signal fires. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of this computer. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal && { signal }),
};
