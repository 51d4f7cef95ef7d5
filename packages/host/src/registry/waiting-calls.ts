import { onAbort } from '@errand/wire';

/** Those who wait for a connection; each leaves when it comes, when it fails, or when it gives up. */
export class WaitingCalls<Value> {
  readonly #waiting = new Set<PromiseWithResolvers<Value>>();

  async wait(signal: AbortSignal): Promise<Value> {
    signal.throwIfAborted();
    const waiter = Promise.withResolvers<Value>();
    this.#waiting.add(waiter);
    using _listening = onAbort(signal, waiter.reject);
    try {
      return await waiter.promise;
    } finally {
      this.#waiting.delete(waiter);
    }
  }

  resolve(value: Value): void {
    for (const waiter of this.#waiting) waiter.resolve(value);
  }

  reject(error: Error): void {
    for (const waiter of this.#waiting) waiter.reject(error);
  }
}
