export class Modal {
  readonly modalEl = document.createElement('div');
  readonly contentEl = document.createElement('div');
  readonly #title = document.createElement('h2');
  #onClose: () => void = () => {};

  setTitle(title: string): this {
    this.#title.textContent = title;
    return this;
  }

  setCloseCallback(callback: () => void): this {
    this.#onClose = callback;
    return this;
  }

  open(): void {
    this.modalEl.setAttribute('role', 'dialog');
    const close = document.createElement('button');
    close.setAttribute('aria-label', 'Close');
    close.addEventListener('click', () => this.close());
    this.modalEl.append(close, this.#title, this.contentEl);
    document.body.append(this.modalEl);
  }

  close(): void {
    this.modalEl.remove();
    this.#onClose();
  }
}
