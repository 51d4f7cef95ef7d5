import { wait } from './wait.ts';

/** So many at once; who waits longest comes first. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  get free(): number {
    return this.#free;
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

/** At most so many in any period. */
export class Rate {
  readonly #limit: number;
  readonly #periodMs: number;
  /** When the latest were let through, on the clock that is never set. */
  readonly #passed: number[];
  #last: Promise<void> = Promise.resolve();

  constructor({ limit, periodMs }: RateLimit, agoMs: readonly number[]) {
    this.#limit = limit;
    this.#periodMs = periodMs;
    this.#passed = agoMs.map((ago) => performance.now() - ago);
  }

  /** Resolves when the next may begin, in the order in which they asked. */
  pass(signal: AbortSignal): Promise<void> {
    const turn = this.#last.then(async () => {
      const before = this.#passed.at(-this.#limit);
      if (before !== undefined) await wait(before + this.#periodMs - performance.now(), signal);
      this.#passed.push(performance.now());
      if (this.#passed.length > this.#limit) this.#passed.shift();
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

interface RateLimit {
  readonly limit: number;
  readonly periodMs: number;
}

/** What has one key: so much of it at once, in order. */
export class Lanes {
  readonly #lanes = new Map<
    string,
    { running: number; readonly waiting: (() => Promise<void>)[] }
  >();

  /** Runs work when its turn in its lane has come. */
  enter(name: string, width: number, work: () => Promise<void>): void {
    const lane = this.#lanes.get(name) ?? { running: 0, waiting: [] };
    this.#lanes.set(name, lane);
    lane.waiting.push(work);
    this.#advance(name, width);
  }

  #advance(name: string, width: number): void {
    const lane = this.#lanes.get(name);
    if (lane === undefined) return;
    while (lane.running < width) {
      const work = lane.waiting.shift();
      if (work === undefined) break;
      lane.running += 1;
      void work().finally(() => {
        lane.running -= 1;
        this.#advance(name, width);
      });
    }
    if (lane.running === 0) this.#lanes.delete(name);
  }
}
