import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Failure, Notice } from '../../contract.ts';

export interface Toast extends Notice {
  readonly id: number;
}

const mostShown = 3;
const leavesAfterMs = { info: 6_000, warning: 20_000, error: undefined } as const;

/**
 * What is told in passing, a few at a time; the others wait for their turn. Information and
 * warnings leave by themselves after they were shown for a while; what went wrong stays until it is
 * closed.
 */
export class Toasts {
  readonly #all = signal<readonly Toast[]>([]);
  readonly shown: ReadonlySignal<readonly Toast[]> = computed(() =>
    this.#all.value.slice(0, mostShown),
  );
  /** How many wait. */
  readonly waiting: ReadonlySignal<number> = computed(() =>
    Math.max(0, this.#all.value.length - mostShown),
  );
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();
  #last = 0;
  #isHeld = false;

  /** What is told of a server takes the place of what was told of it before: only the last is true. */
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

  /** While a person points at them or is among them, none leaves by itself. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (isHeld) this.#clear();
    else this.#time();
  }

  #change(next: (all: readonly Toast[]) => readonly Toast[]): void {
    this.#all.value = next(this.#all.value);
    // A browser does not always say that the pointer left what is gone.
    if (this.#all.value.length === 0) this.#isHeld = false;
    this.#time();
  }

  /** Counts from the moment a toast is seen. */
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
