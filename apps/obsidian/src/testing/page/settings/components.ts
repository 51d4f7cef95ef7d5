/** What every control has. */
export class BaseComponent {
  disabled = false;

  setDisabled(disabled: boolean): this {
    this.disabled = disabled;
    return this;
  }
}

class TypedComponent<Input extends HTMLInputElement | HTMLTextAreaElement> extends BaseComponent {
  readonly inputEl: Input;
  #listener: (value: string) => unknown = () => {};

  constructor(inputEl: Input) {
    super();
    this.inputEl = inputEl;
    inputEl.addEventListener('input', () => this.onChanged());
  }

  override setDisabled(disabled: boolean): this {
    this.inputEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  getValue(): string {
    return this.inputEl.value;
  }

  setValue(value: string): this {
    this.inputEl.value = value;
    return this;
  }

  setPlaceholder(placeholder: string): this {
    this.inputEl.placeholder = placeholder;
    return this;
  }

  onChanged(): void {
    this.#listener(this.getValue());
  }

  onChange(listener: (value: string) => unknown): this {
    this.#listener = listener;
    return this;
  }
}

export class TextComponent extends TypedComponent<HTMLInputElement> {
  constructor(parent: HTMLElement) {
    super(appended(parent, 'input'));
    this.inputEl.type = 'text';
  }
}

export class TextAreaComponent extends TypedComponent<HTMLTextAreaElement> {
  constructor(parent: HTMLElement) {
    super(appended(parent, 'textarea'));
  }
}

export class DropdownComponent extends BaseComponent {
  readonly selectEl: HTMLSelectElement;

  constructor(parent: HTMLElement) {
    super();
    this.selectEl = appended(parent, 'select');
    this.selectEl.className = 'dropdown';
  }

  override setDisabled(disabled: boolean): this {
    this.selectEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  addOption(value: string, text: string): this {
    this.selectEl.append(new Option(text, value));
    return this;
  }

  addOptions(options: Readonly<Record<string, string>>): this {
    for (const [value, text] of Object.entries(options)) this.addOption(value, text);
    return this;
  }

  getValue(): string {
    return this.selectEl.value;
  }

  setValue(value: string): this {
    this.selectEl.value = value;
    return this;
  }

  onChange(listener: (value: string) => unknown): this {
    this.selectEl.addEventListener('change', () => listener(this.getValue()));
    return this;
  }
}

export class ToggleComponent extends BaseComponent {
  readonly toggleEl: HTMLElement;
  readonly #box: HTMLInputElement;
  #listener: (value: boolean) => unknown = () => {};

  constructor(parent: HTMLElement) {
    super();
    this.toggleEl = appended(parent, 'div');
    this.toggleEl.className = 'checkbox-container';
    this.#box = appended(this.toggleEl, 'input');
    this.#box.type = 'checkbox';
    this.toggleEl.addEventListener('click', (event) => {
      event.preventDefault();
      this.onClick();
    });
  }

  override setDisabled(disabled: boolean): this {
    this.toggleEl.classList.toggle('is-disabled', disabled);
    return super.setDisabled(disabled);
  }

  getValue(): boolean {
    return this.toggleEl.classList.contains('is-enabled');
  }

  /** A programmatic change is reported as well. */
  setValue(on: boolean): this {
    const isOther = on !== this.getValue();
    this.toggleEl.classList.toggle('is-enabled', on);
    if (isOther) this.#listener(on);
    return this;
  }

  setTooltip(tooltip: string): this {
    this.toggleEl.setAttribute('aria-label', tooltip);
    return this;
  }

  onClick(): void {
    if (!this.disabled) this.setValue(!this.getValue());
  }

  onChange(listener: (value: boolean) => unknown): this {
    this.#listener = listener;
    return this;
  }
}

export class ButtonComponent extends BaseComponent {
  readonly buttonEl: HTMLButtonElement;

  constructor(parent: HTMLElement) {
    super();
    this.buttonEl = appended(parent, 'button');
  }

  override setDisabled(disabled: boolean): this {
    this.buttonEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  setButtonText(text: string): this {
    this.buttonEl.textContent = text;
    return this;
  }

  setCta(): this {
    return this.setClass('mod-cta');
  }

  setClass(name: string): this {
    this.buttonEl.classList.add(name);
    return this;
  }

  setTooltip(tooltip: string): this {
    this.buttonEl.setAttribute('aria-label', tooltip);
    return this;
  }

  onClick(listener: (event: MouseEvent) => unknown): this {
    this.buttonEl.addEventListener('click', (event) => listener(event));
    return this;
  }
}

/** A small button that is only an icon; its name is its tooltip. */
export class ExtraButtonComponent extends BaseComponent {
  readonly extraSettingsEl: HTMLElement;

  constructor(parent: HTMLElement) {
    super();
    this.extraSettingsEl = appended(parent, 'div');
    this.extraSettingsEl.className = 'clickable-icon extra-setting-button';
    this.extraSettingsEl.setAttribute('role', 'button');
  }

  override setDisabled(disabled: boolean): this {
    this.extraSettingsEl.classList.toggle('is-disabled', disabled);
    return super.setDisabled(disabled);
  }

  setIcon(icon: string): this {
    this.extraSettingsEl.textContent = icons[icon] ?? '•';
    return this;
  }

  setTooltip(tooltip: string): this {
    this.extraSettingsEl.setAttribute('aria-label', tooltip);
    return this;
  }

  onClick(listener: () => unknown): this {
    this.extraSettingsEl.addEventListener('click', () => {
      if (!this.disabled) listener();
    });
    return this;
  }
}

const icons: Readonly<Record<string, string>> = {
  'arrow-left': '←',
  'chevron-right': '›',
  pencil: '✎',
  plus: '+',
  star: '☆',
  trash: '✕',
};

function appended<Tag extends keyof HTMLElementTagNameMap>(
  parent: HTMLElement,
  tag: Tag,
): HTMLElementTagNameMap[Tag] {
  return parent.appendChild(document.createElement(tag));
}
