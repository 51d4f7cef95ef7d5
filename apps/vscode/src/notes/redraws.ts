import type { Clock } from '@errand/host';

export interface RedrawsPorts {
  /** Tells the editor that what it shows has changed. */
  readonly tell: () => void;
  /** Whether the editor shows anything that could be drawn. */
  readonly isSeen: () => boolean;
  readonly clock: Pick<Clock, 'after'>;
}

/** How long the editor gets at first; it waits twice for a quarter of a second without a change before it draws. */
const patienceMs = 1_000;
const mostPatienceMs = 16_000;

/**
 * Tells the editor of changes, and of the next ones only after it has drawn: told more often, it would begin to wait
 * anew each time and never draw. An editor that loses the focus forgets to draw, and is told again.
 */
export class Redraws implements Disposable {
  readonly #ports: RedrawsPorts;
  #waiting: Disposable | undefined;
  #hasChanged = false;
  #isAsked = false;

  constructor(ports: RedrawsPorts) {
    this.#ports = ports;
  }

  change(): void {
    this.#hasChanged = true;
    if (this.#waiting === undefined) this.#tell(patienceMs);
  }

  /** The editor has asked what there is; it draws what it shows of that. */
  asked(): void {
    this.#isAsked = true;
  }

  /** The editor draws. */
  drawn(): void {
    this.#waiting?.[Symbol.dispose]();
    this.#waiting = undefined;
    if (this.#hasChanged) this.#tell(patienceMs);
  }

  [Symbol.dispose](): void {
    this.#waiting?.[Symbol.dispose]();
  }

  #tell(patience: number): void {
    this.#hasChanged = false;
    this.#isAsked = false;
    this.#waiting = this.#ports.clock.after(patience, () => {
      // All that there is may lie outside of what is shown.
      if (this.#isAsked) return this.drawn();
      this.#waiting = undefined;
      // What is opened later asks by itself.
      if (this.#ports.isSeen()) this.#tell(Math.min(2 * patience, mostPatienceMs));
    });
    this.#ports.tell();
  }
}
