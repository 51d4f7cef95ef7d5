import type { Clock } from './clock.ts';
import { guarded, type OnFault } from './guarded.ts';

/** A clock whose timers end in `onFault` when what they call fails. */
export function guardedClock(clock: Clock, onFault: OnFault): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    after: (milliseconds, onDue) => clock.after(milliseconds, guarded(onDue, onFault)),
  };
}
