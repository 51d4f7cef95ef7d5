type Listener = (...args: never[]) => unknown;

export interface EventRef {
  readonly name: string;
  readonly listener: Listener;
  readonly events: Events;
}

/** Obsidian's events: `on` gives a reference that ends the subscription. */
export class Events {
  readonly refs = new Set<EventRef>();
  readonly #own = new Set<EventRef>();

  on(name: string, listener: Listener): EventRef {
    const ref = { name, listener, events: this };
    this.refs.add(ref);
    return ref;
  }

  /** As `on`, for what belongs to Obsidian itself. */
  watch(name: string, listener: Listener): EventRef {
    const ref = { name, listener, events: this };
    this.#own.add(ref);
    return ref;
  }

  offref(ref: EventRef): void {
    this.refs.delete(ref);
    this.#own.delete(ref);
  }

  trigger(name: string, ...args: unknown[]): void {
    for (const ref of [...this.#own, ...this.refs]) {
      if (ref.name === name) (ref.listener as (...args: unknown[]) => unknown)(...args);
    }
  }
}
