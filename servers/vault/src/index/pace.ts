import { setImmediate } from 'node:timers/promises';

/** Yields to other work every few milliseconds. */
export class Pace {
  readonly #slice: number;
  #since = performance.now();

  constructor(slice = 15) {
    this.#slice = slice;
  }

  get isDue(): boolean {
    return performance.now() - this.#since > this.#slice;
  }

  /** Waits until everything that arrived meanwhile has had its turn, if it is time for that. */
  async breathe(signal?: AbortSignal): Promise<void> {
    if (!this.isDue) return;
    await setImmediate();
    signal?.throwIfAborted();
    this.#since = performance.now();
  }
}
