import type { Clock } from '../clock.ts';
import { Semaphore } from '../concurrency/semaphore.ts';

/** Lets a bounded number of processes start at once, so that many servers do not starve each other. */
export class StartGate {
  readonly #places: Semaphore;
  readonly #clock: Clock;
  readonly #giveAwayAfter: number;

  constructor(places: number, clock: Clock, giveAwayAfter = 400) {
    this.#places = new Semaphore(() => ({ total: places, perServer: -1 }));
    this.#clock = clock;
    this.#giveAwayAfter = giveAwayAfter;
  }

  /** Waits for a place and takes it; the returned function gives it back, or time does. */
  async enter(signal: AbortSignal): Promise<() => void> {
    const leave = await this.#places.enter(anyStart, signal);
    // A start that takes longer mostly waits (for a download, a handshake) and needs no core.
    const timer = this.#clock.after(this.#giveAwayAfter, leave);
    return () => {
      timer[Symbol.dispose]();
      leave();
    };
  }
}

const anyStart = { serverId: '', sessionId: '', isPerson: false };
