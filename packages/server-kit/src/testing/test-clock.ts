import { onAbort } from '@errand/wire';
import type { Clock } from '../service-client/clock.ts';

/** A clock that moves only when it is told, or by itself for sleeps that are shorter than a limit. */
export class TestClock implements Clock {
  /** The sleeps that the clock has skipped. */
  readonly skipped: number[] = [];
  readonly #skipBelowMs: number;
  readonly #sleepers = new Set<{ readonly at: number; wake(): void }>();
  #time = Date.UTC(2026, 0, 1);
  #ranMs = 0;

  constructor(skipBelowMs = 0) {
    this.#skipBelowMs = skipBelowMs;
  }

  now(): number {
    return this.#time;
  }

  monotonic(): number {
    return this.#ranMs;
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (milliseconds < this.#skipBelowMs) {
      this.skipped.push(milliseconds);
      this.advance(milliseconds);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const listening = onAbort(signal, (reason) => {
        this.#sleepers.delete(sleeper);
        reject(reason);
      });
      const wake = () => {
        listening[Symbol.dispose]();
        resolve();
      };
      const sleeper = { at: this.#ranMs + milliseconds, wake };
      this.#sleepers.add(sleeper);
    });
  }

  /** How many sleep now. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  /** Lets time pass and wakes who slept so long. */
  advance(milliseconds: number): void {
    this.#time += milliseconds;
    this.#ranMs += milliseconds;
    for (const sleeper of [...this.#sleepers]) {
      if (sleeper.at > this.#ranMs) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }

  /** Sets the time of day, as people do, without any time passing. */
  setTimeOfDay(time: number): void {
    this.#time = time;
  }
}
