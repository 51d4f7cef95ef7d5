import { renamedPath } from '../renamed-path.ts';

/** Tells those who show something of a note that it changed, at most once before each drawing of the screen. */
export class NoteChanges implements Disposable {
  readonly #subscriptions = new Set<Subscription>();
  readonly #changed = new Set<string>();
  #drawing: number | undefined;

  /** Calls back when a note changed, also after it got another name. */
  subscribe(path: string, listener: () => void): () => void {
    const subscription = { path, listener };
    this.#subscriptions.add(subscription);
    return () => this.#subscriptions.delete(subscription);
  }

  tell(path: string): void {
    this.#changed.add(path);
    this.#drawing ??= window.requestAnimationFrame(() => {
      const changed = new Set(this.#changed);
      this.#changed.clear();
      this.#drawing = undefined;
      for (const each of [...this.#subscriptions]) if (changed.has(each.path)) each.listener();
    });
  }

  tellAll(): void {
    for (const { path } of this.#subscriptions) this.tell(path);
  }

  /** Follows a note, or all notes of a folder, to another name. */
  renamed(from: string, to: string): void {
    for (const subscription of this.#subscriptions) {
      const path = renamedPath(subscription.path, from, to);
      if (path === undefined) continue;
      subscription.path = path;
      this.tell(path);
    }
  }

  [Symbol.dispose](): void {
    if (this.#drawing !== undefined) window.cancelAnimationFrame(this.#drawing);
    this.#subscriptions.clear();
  }
}

interface Subscription {
  path: string;
  readonly listener: () => void;
}
