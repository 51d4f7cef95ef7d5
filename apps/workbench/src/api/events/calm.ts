import { describeFault, guarded } from '@errand/host';

/** How often the same thing is told again, in milliseconds. */
const interval = 100;

/**
 * Tells things at once, and what changes often only now and then: of everything told under a key
 * within a moment, the last is told at its end.
 */
export class Calm implements Disposable {
  readonly #waiting = new Map<string, (() => void) | undefined>();
  readonly #timers = new Set<NodeJS.Timeout>();

  tell(key: string, speak: () => void): void {
    if (this.#waiting.has(key)) {
      this.#waiting.set(key, speak);
      return;
    }
    speak();
    this.#waiting.set(key, undefined);
    const repeat = () => {
      this.#timers.delete(timer);
      const last = this.#waiting.get(key);
      this.#waiting.delete(key);
      if (last !== undefined) this.tell(key, last);
    };
    const report = (error: unknown) => process.emitWarning(describeFault(error));
    const timer = setTimeout(guarded(repeat, report), interval).unref();
    this.#timers.add(timer);
  }

  /** Forgets what would still be told under a key, because something final is told instead. */
  drop(key: string): void {
    if (this.#waiting.has(key)) this.#waiting.set(key, undefined);
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#waiting.clear();
  }
}
