/** Those who wait for a connection; each leaves when it comes, when it fails, or when it gives up. */
export class WaitingCalls<Value> {
  readonly #waiting = new Set<Waiter<Value>>();

  wait(signal: AbortSignal): Promise<Value> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(waiter);
        reject(signal.reason);
      };
      const leave = () => signal.removeEventListener('abort', abort);
      const waiter = { resolve, reject, leave };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.add(waiter);
    });
  }

  resolve(value: Value): void {
    for (const waiter of this.#takeAll()) waiter.resolve(value);
  }

  reject(error: Error): void {
    for (const waiter of this.#takeAll()) waiter.reject(error);
  }

  #takeAll(): readonly Waiter<Value>[] {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const waiter of waiting) waiter.leave();
    return waiting;
  }
}

interface Waiter<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
  readonly leave: () => void;
}
