import { Notice } from 'obsidian';

/** Says that an answer is coming, until it is hidden, and lets the person stop it. */
export class AnswerNotice implements Disposable {
  readonly #notice = new Notice('', 0);
  readonly #words: HTMLElement;

  constructor(words: string, note: string, onStop: () => void) {
    const { messageEl } = this.#notice;
    this.#words = messageEl.createDiv({ text: words });
    messageEl.createDiv({ cls: 'errand-answer-note', text: note });
    const stop = messageEl.createEl('button', { text: 'Stop' });
    stop.addEventListener('click', onStop);
  }

  say(words: string): void {
    if (this.#words.textContent !== words) this.#words.textContent = words;
  }

  [Symbol.dispose](): void {
    this.#notice.hide();
  }
}
