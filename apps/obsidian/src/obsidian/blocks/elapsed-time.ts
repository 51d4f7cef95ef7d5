import { duration } from '@errand/document/display';

const everyMs = 1_000;

/** How long something runs, counted on the screen while it does. */
export class ElapsedTime implements Disposable {
  readonly #el: HTMLElement;
  #since: number | undefined;
  #timer: number | undefined;

  constructor(el: HTMLElement) {
    this.#el = el;
  }

  /** Counts from a time on; without one it shows what is known. */
  show(since: number | undefined, otherwise: string): void {
    if (since === undefined) {
      this[Symbol.dispose]();
      this.#el.textContent = otherwise;
      return;
    }
    if (since === this.#since) return;
    this[Symbol.dispose]();
    this.#since = since;
    const tick = () => {
      const seconds = Math.floor((Date.now() - since) / 1_000);
      this.#el.textContent = seconds < 1 ? '' : duration(seconds * 1_000).replace('.0 s', ' s');
    };
    tick();
    this.#timer = window.setInterval(tick, everyMs);
  }

  [Symbol.dispose](): void {
    window.clearInterval(this.#timer);
    this.#since = undefined;
  }
}
