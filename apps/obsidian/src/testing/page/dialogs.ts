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
    this.modalEl.append(this.#title, this.contentEl);
    document.body.append(this.modalEl);
  }

  close(): void {
    this.modalEl.remove();
    this.#onClose();
  }
}

export class Setting {
  readonly #el: HTMLElement;

  constructor(parent: HTMLElement) {
    this.#el = document.createElement('div');
    parent.append(this.#el);
  }

  addButton(build: (button: ButtonComponent) => unknown): this {
    build(new ButtonComponent(this.#el));
    return this;
  }
}

export class ButtonComponent {
  readonly buttonEl = document.createElement('button');

  constructor(parent: HTMLElement) {
    parent.append(this.buttonEl);
  }

  setButtonText(text: string): this {
    this.buttonEl.textContent = text;
    return this;
  }

  setCta(): this {
    this.buttonEl.classList.add('mod-cta');
    return this;
  }

  onClick(listener: (event: MouseEvent) => unknown): this {
    this.buttonEl.addEventListener('click', listener);
    return this;
  }
}
