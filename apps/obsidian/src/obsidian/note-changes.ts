/** Tells those who show something of a note that it changed, at most once before each drawing of the screen. */
export class NoteChanges implements Disposable {
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #changed = new Set<string>();
  #drawing: number | undefined;

  subscribe(path: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(path) ?? new Set();
    this.#listeners.set(path, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(path);
    };
  }

  tell(path: string): void {
    if (!this.#listeners.has(path)) return;
    this.#changed.add(path);
    this.#drawing ??= window.requestAnimationFrame(() => {
      const changed = [...this.#changed];
      this.#changed.clear();
      this.#drawing = undefined;
      for (const each of changed)
        for (const listener of this.#listeners.get(each) ?? []) listener();
    });
  }

  tellAll(): void {
    for (const path of this.#listeners.keys()) this.tell(path);
  }

  [Symbol.dispose](): void {
    if (this.#drawing !== undefined) window.cancelAnimationFrame(this.#drawing);
    this.#listeners.clear();
  }
}
