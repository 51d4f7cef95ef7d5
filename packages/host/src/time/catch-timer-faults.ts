import type { Clock } from '../clock.ts';
import { catchFaults, type OnFault } from '../events/catch-faults.ts';

/** A clock whose timer callbacks never throw: their errors go to `onFault`. */
export function catchTimerFaults(clock: Clock, onFault: OnFault): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    after: (milliseconds, onDue) => clock.after(milliseconds, catchFaults(onDue, onFault)),
  };
}
