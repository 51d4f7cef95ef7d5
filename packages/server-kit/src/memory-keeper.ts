/** How long a server must be quiet before its memory is tidied up: the pause must disturb nobody. */
const quietTime = 1_000;
/** Less than this is not worth a pause. */
const worthwhile = 16 * 1024 * 1024;

/**
 * Gives memory back to the system that V8 would keep for later: after a burst of calls, and before
 * a client is refused for memory that is only garbage.
 */
export class MemoryKeeper {
  readonly #memory: () => number;
  readonly #collect: () => void;
  #afterLast = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(memory: () => number, collect: () => void) {
    this.#memory = memory;
    this.#collect = collect;
  }

  /** Notes that nothing runs any more. */
  rest(): void {
    if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.#tidy(), quietTime).unref();
    } else this.#timer.refresh();
  }

  /** Notes that something runs again. */
  work(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Collects now, and says what is still used. */
  relieve(): number {
    this.#collect();
    this.#afterLast = this.#memory();
    return this.#afterLast;
  }

  #tidy(): void {
    this.#timer = undefined;
    if (this.#memory() > this.#afterLast + worthwhile) this.relieve();
  }
}
