import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Failure, Notice } from '../../contract.ts';

export interface Toast extends Notice {
  readonly id: number;
}

const mostShown = 3;
const leavesAfterMs = { info: 6_000, warning: 20_000, error: undefined } as const;

/**
 * A queue of toasts, a few visible at a time. Information and warnings close after a while; errors
 * stay until they are closed.
 */
export class Toasts {
  readonly #all = signal<readonly Toast[]>([]);
  readonly shown: ReadonlySignal<readonly Toast[]> = computed(() =>
    this.#all.value.slice(0, mostShown),
  );
  /** Number of queued toasts. */
  readonly waiting: ReadonlySignal<number> = computed(() =>
    Math.max(0, this.#all.value.length - mostShown),
  );
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();
  #last = 0;
  #isHeld = false;

  /** Adds a toast; a newer notice of the same server replaces the older one. */
  show(notice: Notice): void {
    this.#last += 1;
    const toast = { ...notice, id: this.#last };
    const same = this.#all.value.find(
      ({ message, server }) =>
        message === notice.message || (server !== null && server === notice.server),
    );
    this.#change((all) =>
      same === undefined ? [...all, toast] : all.map((each) => (each === same ? toast : each)),
    );
  }

  tell(message: string): void {
    this.show({ level: 'info', message, detail: null, server: null });
  }

  fail({ message, lastWords }: Failure): void {
    this.show({ level: 'error', message, detail: lastWords ?? null, server: null });
  }

  close(id: number): void {
    this.#change((all) => all.filter((toast) => toast.id !== id));
  }

  closeAll(): void {
    this.#change(() => []);
  }

  /** Pauses closing while toasts are hovered or focused. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (isHeld) this.#clear();
    else this.#time();
  }

  #change(next: (all: readonly Toast[]) => readonly Toast[]): void {
    this.#all.value = next(this.#all.value);
    // Browsers do not always fire pointerleave for a removed element.
    if (this.#all.value.length === 0) this.#isHeld = false;
    this.#time();
  }

  /** Starts the timers of visible toasts. */
  #time(): void {
    const shown = this.shown.value;
    for (const id of this.#timers.keys()) {
      if (!shown.some((toast) => toast.id === id)) this.#clear(id);
    }
    if (this.#isHeld) return;
    for (const { id, level } of shown) {
      const after = leavesAfterMs[level];
      if (after === undefined || this.#timers.has(id)) continue;
      this.#timers.set(
        id,
        setTimeout(() => this.close(id), after),
      );
    }
  }

  #clear(only?: number): void {
    for (const [id, timer] of this.#timers) {
      if (only !== undefined && id !== only) continue;
      clearTimeout(timer);
      this.#timers.delete(id);
    }
  }
}
