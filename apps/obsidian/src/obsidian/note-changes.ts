/** Tells those who show something of a note that it changed, at most once before each drawing of the screen. */
export class NoteChanges implements Disposable {
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #changed = new Set<string>();
  readonly #waiting = new Set<() => void>();
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
    this.#schedule();
  }

  /** Calls back once, together with all others before the next drawing, so that they can share what they look up. */
  beforeDrawing(listener: () => void): () => void {
    this.#waiting.add(listener);
    this.#schedule();
    return () => this.#waiting.delete(listener);
  }

  tellAll(): void {
    for (const path of this.#listeners.keys()) this.tell(path);
  }

  #schedule(): void {
    this.#drawing ??= window.requestAnimationFrame(() => {
      const changed = [...this.#changed];
      const waiting = [...this.#waiting];
      this.#changed.clear();
      this.#waiting.clear();
      this.#drawing = undefined;
      for (const listener of waiting) listener();
      for (const path of changed) {
        for (const listener of this.#listeners.get(path) ?? []) listener();
      }
    });
  }

  [Symbol.dispose](): void {
    if (this.#drawing !== undefined) window.cancelAnimationFrame(this.#drawing);
    this.#listeners.clear();
    this.#waiting.clear();
  }
}
