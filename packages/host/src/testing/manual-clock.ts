import { onAbort } from '@errand/wire';
import type { Clock } from '../clock.ts';

/** A clock that a test moves by hand. */
export class ManualClock implements Clock {
  #elapsed = 0;
  #start: number;
  readonly #sleepers = new Set<Sleeper>();

  constructor(now = 1_000_000) {
    this.#start = now;
  }

  /** How many wait for a time to come. */
  get sleepers(): number {
    return this.#sleepers.size;
  }

  now(): number {
    return this.#start + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  /** Somebody sets the time of day back; timers do not care. */
  setBack(milliseconds: number): void {
    this.#start -= milliseconds;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = () => {
        stopListening();
        resolve();
      };
      const sleeper = { at: this.#elapsed + milliseconds, wake };
      this.#sleepers.add(sleeper);
      const { [Symbol.dispose]: stopListening } = onAbort(signal, (reason) => {
        this.#sleepers.delete(sleeper);
        reject(reason);
      });
    });
  }

  after(milliseconds: number, onDue: () => void): Disposable {
    const sleeper = { at: this.#elapsed + milliseconds, wake: onDue };
    this.#sleepers.add(sleeper);
    return { [Symbol.dispose]: () => void this.#sleepers.delete(sleeper) };
  }

  /** Advances the clock and fires due timers in order, each with time to set the next one. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#elapsed + milliseconds;
    await settled();
    for (let next = this.#nextBefore(end); next !== undefined; next = this.#nextBefore(end)) {
      this.#elapsed = Math.max(next.at, this.#elapsed);
      this.#sleepers.delete(next);
      next.wake();
      await settled();
    }
    this.#elapsed = end;
  }

  /** The machine sleeps: time passes, and whatever was due is only noticed afterwards. */
  async sleepMachine(milliseconds: number): Promise<void> {
    this.#elapsed += milliseconds;
    await this.advance(0);
  }

  #nextBefore(end: number): Sleeper | undefined {
    let next: Sleeper | undefined;
    for (const sleeper of this.#sleepers) {
      if (sleeper.at <= end && (next === undefined || sleeper.at < next.at)) next = sleeper;
    }
    return next;
  }
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Lets everything that is ready happen. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
