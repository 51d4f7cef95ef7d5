import { Semaphore } from '../concurrency/semaphore.ts';

/** Runs work once a slot is free. */
export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Runs at most this many tasks at once; the rest waits in order of arrival. */
export function createLimiter(max: number): Limiter {
  const semaphore = new Semaphore(() => ({ total: max, perServer: -1 }));
  return async (work) => {
    const leave = await semaphore.enter({ serverId: '', sessionId: '', isPerson: false });
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
