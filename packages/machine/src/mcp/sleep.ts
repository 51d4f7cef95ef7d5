import { setTimeout } from 'node:timers/promises';
import { raceSignal } from '@errand/wire';

/** Waits, but keeps no program alive for it; rejects with the reason of the signal when that aborts. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return raceSignal(setTimeout(milliseconds, undefined, { signal, ref: false }), signal);
}

/** The longest timeout of a timer. Callers enforce deadlines by signal, but the SDK requires a timeout. */
export const maxTimerMs = 2 ** 31 - 1;
