import { onAbort } from '@errand/wire';
import type { Clock } from '../clock.ts';

/** The clock of the operating system. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(milliseconds, signal) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    using _listening = onAbort(signal, reject);
    await promise.finally(() => clearTimeout(timer));
  },
  after: (milliseconds, onDue) => {
    const timer = setTimeout(onDue, milliseconds);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
