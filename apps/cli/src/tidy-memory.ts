import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { HostEvents } from '@errand/host';

interface Surroundings {
  /** The resident memory of this process in bytes. */
  readonly memory: () => number;
  /** Collects garbage, which is a pause for everybody. */
  readonly collect: () => void;
  /** At least how long nothing may have happened before it does. */
  readonly quietMs: number;
}

/** Less than this is not worth a pause. */
const worthwhile = 64 * 1024 * 1024;

/**
 * For a program that runs for days: gives the memory back that only its start needed, as soon as nothing
 * happens any more, and again after a time that needed much more.
 */
export function tidyMemory(
  events: Pick<HostEvents, 'subscribe'>,
  { memory, collect, quietMs }: Surroundings = thisProcess,
): Disposable {
  let afterLast = 0;
  let hasHappened = true;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    if (hasHappened) {
      hasHappened = false;
      return;
    }
    clearInterval(timer);
    timer = undefined;
    if (afterLast > 0 && memory() < afterLast + worthwhile) return;
    collect();
    afterLast = memory();
  };
  // Events are many: to set a timer anew for each of them would cost calls a tenth of their speed.
  const wait = () => {
    hasHappened = true;
    timer ??= setInterval(look, quietMs).unref();
  };
  const unsubscribe = events.subscribe(wait);
  wait();
  return {
    [Symbol.dispose]() {
      unsubscribe();
      clearInterval(timer);
    },
  };
}

const thisProcess: Surroundings = {
  memory: () => process.memoryUsage.rss(),
  collect() {
    // Node offers it only so, and only this kind gives the pages back to the system.
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('globalThis.gc');
    if (typeof collect === 'function') collect({ type: 'major', flavor: 'last-resort' });
  },
  quietMs: 700,
};
