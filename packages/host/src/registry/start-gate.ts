import type { Clock } from '../clock.ts';

/** Lets a bounded number of processes start at once, so that many servers do not starve each other. */
export class StartGate {
  readonly #places: number;
  readonly #clock: Clock;
  readonly #giveAwayAfter: number;
  readonly #queue = new Set<() => void>();
  #taken = 0;

  constructor(places: number, clock: Clock, giveAwayAfter = 400) {
    this.#places = places;
    this.#clock = clock;
    this.#giveAwayAfter = giveAwayAfter;
  }

  /** Waits for a place and takes it; the returned function gives it back, or time does. */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#taken < this.#places) this.#taken += 1;
    else await this.#wait(signal);

    let isHeld = true;
    const leave = () => {
      if (!isHeld) return;
      isHeld = false;
      timer[Symbol.dispose]();
      this.#passOn();
    };
    // A start that takes longer mostly waits (for a download, a handshake) and needs no core.
    const timer = this.#clock.after(this.#giveAwayAfter, leave);
    return leave;
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#queue.delete(turn);
        reject(signal.reason);
      };
      const turn = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#queue.add(turn);
    });
  }

  #passOn(): void {
    const [next] = this.#queue;
    if (next === undefined) {
      this.#taken -= 1;
      return;
    }
    this.#queue.delete(next);
    next();
  }
}
