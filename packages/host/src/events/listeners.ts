import { catchFaults, type OnFault } from './catch-faults.ts';

/** Hands every event to every listener; a listener that throws is reported and does not keep it from the others. */
export class Listeners<Event> {
  readonly #listeners = new Set<(event: Event) => void>();
  readonly #onFault: OnFault;

  constructor(onFault: OnFault) {
    this.#onFault = onFault;
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: (event: Event) => void): () => void {
    const own = catchFaults(listener, this.#onFault);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  emit(event: Event): void {
    for (const listener of this.#listeners) listener(event);
  }
}
