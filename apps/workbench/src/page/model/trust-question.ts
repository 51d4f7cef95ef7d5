import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { PendingServer } from '../../contract.ts';

/** Whether the trust dialog is open: once for each pending server, and on request. */
export class TrustQuestion {
  readonly #pending: ReadonlySignal<readonly PendingServer[]>;
  /** Fingerprints that were postponed; a changed server has a new one. */
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
