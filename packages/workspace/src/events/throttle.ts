import { type Clock, catchFaults, type OnFault, systemClock } from '@errand/host';

/** Milliseconds between two runs under the same key. */
const interval = 100;

/**
 * Runs the first action of a key at once and then at most one per interval: of those that come in
 * between, the last runs when the interval ends.
 */
export class Throttle implements Disposable {
  readonly #onFault: OnFault;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #intervals = new Map<string, Interval>();

  constructor(onFault: OnFault, clock: Pick<Clock, 'after'> = systemClock) {
    this.#onFault = onFault;
    this.#clock = clock;
  }

  run(key: string, action: () => void): void {
    const open = this.#intervals.get(key);
    if (open !== undefined) {
      open.next = action;
      return;
    }
    const end = () => {
      const { next } = this.#intervals.get(key) ?? {};
      this.#intervals.delete(key);
      if (next !== undefined) this.run(key, next);
    };
    const timer = this.#clock.after(interval, catchFaults(end, this.#onFault));
    this.#intervals.set(key, { timer, next: undefined });
    action();
  }

  /** Drops the pending action of a key, because a final one replaces it. */
  drop(key: string): void {
    const open = this.#intervals.get(key);
    if (open !== undefined) open.next = undefined;
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#intervals.values()) timer[Symbol.dispose]();
    this.#intervals.clear();
  }
}

interface Interval {
  readonly timer: Disposable;
  next: (() => void) | undefined;
}
