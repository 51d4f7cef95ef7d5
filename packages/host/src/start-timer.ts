import type { Clock } from './clock.ts';

/** Calls back after that time; disposing it stops the timer. */
export function startTimer(clock: Clock, milliseconds: number, onDue: () => void): Disposable {
  const stop = new AbortController();
  clock.sleep(milliseconds, stop.signal).then(onDue, () => {});
  // With a reason given, no exception is made up for it: one for every call is costly.
  return { [Symbol.dispose]: () => stop.abort('stopped') };
}
