import { onAbort } from '@errand/wire';

interface GateOptions {
  readonly memoryLimit: number;
  /** The resident memory of this process in bytes. */
  readonly memory: () => number;
  /** Collects garbage and says what is still used. */
  readonly relieve: () => number;
  /** How long something may wait to be let in, in milliseconds. */
  readonly patience: number;
}

/** Whether something may start now. */
export type Admission =
  | { readonly kind: 'admitted'; readonly ticket: Disposable }
  | { readonly kind: 'refused'; readonly memoryUsage: number };

interface Waiting {
  readonly bytes: number;
  readonly settle: (admission: Admission) => void;
}

/** The share of the limit that work may fill: what comes after it is for what cannot be foreseen. */
const usable = 0.85;
const mostWaiting = 1_000;
const lookAgainMs = 100;
const collectEveryMs = 1_000;

/**
 * Lets work in while there is memory for it; what does not fit waits until something ends, and is refused when that
 * takes too long. One at a time is let in below the limit, whatever it needs: otherwise nothing large would ever run.
 */
export class MemoryGate {
  readonly #options: GateOptions;
  readonly #waiting: Waiting[] = [];
  #reserved = 0;
  #admitted = 0;
  #collectedAt = Number.NEGATIVE_INFINITY;
  #looking: NodeJS.Timeout | undefined;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Asks for about so many bytes; the ticket gives them back. */
  enter(bytes: number, signal?: AbortSignal): Promise<Admission> | Admission {
    if (this.#waiting.length >= mostWaiting) return this.#refuse();
    if (this.#waiting.length === 0) {
      const room = this.#roomFor(bytes);
      if (room === 'enough') return this.#admit(bytes);
      if (room === 'none') return this.#refuse();
    }
    return this.#wait(bytes, signal);
  }

  #wait(bytes: number, signal: AbortSignal | undefined): Promise<Admission> {
    return new Promise((resolve) => {
      const leave = () => {
        const index = this.#waiting.indexOf(waiting);
        if (index !== -1) this.#waiting.splice(index, 1);
        waiting.settle(this.#refuse());
      };
      const timer = setTimeout(leave, this.#options.patience);
      const listening = onAbort(signal, leave);
      const waiting: Waiting = {
        bytes,
        settle(admission) {
          clearTimeout(timer);
          listening[Symbol.dispose]();
          resolve(admission);
        },
      };
      this.#waiting.push(waiting);
      this.#looking ??= setInterval(() => this.#look(), lookAgainMs);
    });
  }

  /** Lets those in who fit now, in the order in which they came. */
  #look(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const room = this.#roomFor(next.bytes);
      if (room === 'later') break;
      this.#waiting.shift();
      next.settle(room === 'enough' ? this.#admit(next.bytes) : this.#refuse());
    }
    if (this.#waiting.length > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  /** Whether there is room now, may be later, or cannot be: when nothing runs that could give memory back. */
  #roomFor(bytes: number): 'enough' | 'later' | 'none' {
    const { memoryLimit, memory, relieve } = this.#options;
    const most = memoryLimit * usable;
    const needed = this.#admitted === 0 ? 0 : this.#reserved + bytes;
    if (memory() + needed < most) return 'enough';
    const now = performance.now();
    // Garbage that was made since the last collection may be all that is in the way.
    if (now - this.#collectedAt < collectEveryMs) return 'later';
    this.#collectedAt = now;
    if (relieve() + needed < most) return 'enough';
    return this.#admitted === 0 ? 'none' : 'later';
  }

  #admit(bytes: number): Admission {
    this.#reserved += bytes;
    this.#admitted += 1;
    let isOpen = true;
    const end = () => {
      if (!isOpen) return;
      isOpen = false;
      this.#reserved -= bytes;
      this.#admitted -= 1;
      this.#look();
    };
    return { kind: 'admitted', ticket: { [Symbol.dispose]: end } };
  }

  #refuse(): Admission {
    return { kind: 'refused', memoryUsage: this.#options.memory() };
  }
}
