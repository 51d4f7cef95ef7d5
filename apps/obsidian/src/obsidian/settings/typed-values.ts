interface TypedValue {
  readonly text: string;
  /** What was stored when the typing began. */
  readonly basis: string;
}

/** Typed values that are not stored yet; they survive a redraw of the rows. */
export class TypedValues {
  readonly #values = new Map<string, TypedValue>();
  readonly #focused = new Set<string>();

  of(name: string): TypedValue | undefined {
    return this.#values.get(name);
  }

  keep(name: string, text: string, basis: string): void {
    this.#values.set(name, { text, basis });
  }

  forget(name: string): void {
    this.#values.delete(name);
  }

  begin(name: string): void {
    this.#focused.add(name);
  }

  end(name: string): void {
    this.#focused.delete(name);
  }

  get isTyping(): boolean {
    return this.#focused.size > 0;
  }
}
