import { onAbort } from '@errand/wire';

/** Hands out a limited number of slots in the order of asking; disposing of a slot gives it back. */
export interface RequestSlots {
  take(signal: AbortSignal): Promise<Disposable>;
}

/** Creates slots for so many requests at once. */
export function createRequestSlots(count: number): RequestSlots {
  let free = count;
  const waiting: (() => void)[] = [];
  const slot = (): Disposable => {
    let isHeld = true;
    return {
      [Symbol.dispose]() {
        if (!isHeld) return;
        isHeld = false;
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      },
    };
  };
  return {
    take: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (free > 0) {
          free -= 1;
          return resolve(slot());
        }
        const take = () => {
          listening[Symbol.dispose]();
          resolve(slot());
        };
        waiting.push(take);
        const listening = onAbort(signal, (reason) => {
          waiting.splice(waiting.indexOf(take), 1);
          reject(reason);
        });
      }),
  };
}
