import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { PendingServer } from '../../contract.ts';

/** Whether the question what may start is to be shown: once for each entry, and whenever a person asks for it. */
export class TrustQuestion {
  readonly #pending: ReadonlySignal<readonly PendingServer[]>;
  /** What was shown and put off. An entry that changes is another. */
  readonly #putOff = signal<ReadonlySet<string>>(new Set());

  constructor(pending: ReadonlySignal<readonly PendingServer[]>) {
    this.#pending = pending;
  }

  readonly isAsked = computed(() =>
    this.#pending.value.some(({ seen }) => !this.#putOff.value.has(seen)),
  );

  ask(): void {
    this.#putOff.value = new Set();
  }

  putOff(): void {
    this.#putOff.value = new Set(this.#pending.value.map(({ seen }) => seen));
  }
}
