import { renamedPath } from '@errand/workspace/runs';

/** Tells those who show something of a note that it changed, at most once before each drawing of the screen. */
export class NoteChanges implements Disposable {
  readonly #subscriptions = new Set<Subscription>();
  readonly #changed = new Set<string>();
  readonly #waiting = new Set<() => void>();
  #drawing: (() => void) | undefined;

  /** Calls back when a note changed, also after it got another name. */
  subscribe(path: string, listener: () => void): () => void {
    const subscription = { path, listener };
    this.#subscriptions.add(subscription);
    return () => this.#subscriptions.delete(subscription);
  }

  tell(path: string): void {
    this.#changed.add(path);
    this.#schedule();
  }

  /** Calls back once, together with all others before the next drawing, so that they can share what they look up. */
  beforeDrawing(listener: () => void): () => void {
    this.#waiting.add(listener);
    this.#schedule();
    return () => this.#waiting.delete(listener);
  }

  refresh(): void {
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

  #schedule(): void {
    this.#drawing ??= beforeNextFrame(() => {
      const changed = new Set(this.#changed);
      const waiting = [...this.#waiting];
      this.#changed.clear();
      this.#waiting.clear();
      this.#drawing = undefined;
      for (const listener of waiting) listener();
      for (const each of [...this.#subscriptions]) if (changed.has(each.path)) each.listener();
    });
  }

  [Symbol.dispose](): void {
    this.#drawing?.();
    this.#subscriptions.clear();
    this.#waiting.clear();
  }
}

/**
 * Calls back before the next frame, or soon when the main window is hidden: it then has no frames and hardly any
 * timers, while notes in other windows are seen. Returns what cancels it.
 */
function beforeNextFrame(callback: () => void): () => void {
  const { document: main } = window;
  const { port1, port2 } = new MessageChannel();
  const run = () => {
    cancel();
    callback();
  };
  const wake = () => port2.postMessage('');
  const frame = window.requestAnimationFrame(run);
  const cancel = () => {
    window.cancelAnimationFrame(frame);
    main.removeEventListener('visibilitychange', wake);
    port1.close();
  };
  port1.onmessage = run;
  main.addEventListener('visibilitychange', wake);
  if (main.hidden) wake();
  return cancel;
}

interface Subscription {
  path: string;
  readonly listener: () => void;
}
