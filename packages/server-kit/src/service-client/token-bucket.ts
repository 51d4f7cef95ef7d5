import { raceSignal } from '@errand/wire';
import { type Clock, systemClock } from './clock.ts';

interface TokenBucketOptions {
  /** How many units come back in a minute. */
  readonly perMinute: number;
  /** How many may be spent at once after a quiet time; a sixth of a minute's by default. */
  readonly burst?: number;
  readonly clock?: Clock;
}

/** Keeps requests within a quota of units, first come, first served. */
export interface TokenBucket {
  /** Resolves when so many units are there, and spends them. */
  take(units: number, signal?: AbortSignal): Promise<void>;
  /** The units that could be spent now. */
  available(): number;
}

/** Creates a bucket that is full. */
export function createTokenBucket({
  perMinute,
  burst = perMinute / 6,
  clock = systemClock,
}: TokenBucketOptions): TokenBucket {
  const perMs = perMinute / 60_000;
  let level = burst;
  let filledAt = clock.monotonic();
  let last: Promise<unknown> = Promise.resolve();
  const fill = () => {
    const now = clock.monotonic();
    level = Math.min(burst, level + (now - filledAt) * perMs);
    filledAt = now;
  };
  const spend = async (units: number, signal?: AbortSignal) => {
    for (;;) {
      signal?.throwIfAborted();
      fill();
      // What is larger than the bucket goes through when it is full, and the next ones wait for it.
      const missing = Math.min(units, burst) - level;
      const waitMs = missing / perMs;
      if (waitMs <= 0) break;
      await clock.sleep(Math.ceil(waitMs), signal);
    }
    level -= units;
  };
  return {
    take(units, signal) {
      const turn = last.then(() => spend(units, signal));
      last = turn.catch(() => undefined);
      return signal === undefined ? turn : raceSignal(turn, signal);
    },
    available() {
      fill();
      return Math.max(0, Math.floor(level));
    },
  };
}
