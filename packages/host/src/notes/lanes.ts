import { Semaphore } from '../concurrency/semaphore.ts';

/** Does work when its turn has come. */
export type Lanes = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Lets so much work be done at once; the rest waits, in the order it came. */
export function lanes(free: number): Lanes {
  const places = new Semaphore(() => ({ total: free, perServer: -1 }));
  return async (work) => {
    const leave = await places.enter({ serverId: '', sessionId: '', isPerson: false });
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
