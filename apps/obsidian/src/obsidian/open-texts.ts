import type { App } from 'obsidian';
import { openText } from './open-notes.ts';

/** The texts of open notes for those who show something of them: all who ask in one go share one text. */
export class OpenTexts {
  readonly #app: App;
  readonly #texts = new Map<string, string | undefined>();

  constructor(app: App) {
    this.#app = app;
  }

  of(path: string): string | undefined {
    if (this.#texts.has(path)) return this.#texts.get(path);
    // As soon as the script that runs now is through, a text may be another.
    if (this.#texts.size === 0) queueMicrotask(() => this.#texts.clear());
    const text = openText(this.#app, path);
    this.#texts.set(path, text);
    return text;
  }
}
