import { Setting, type TextAreaComponent, type TextComponent } from 'obsidian';

export interface FieldOptions {
  readonly name: string;
  readonly desc?: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** A row with a place for what is wrong in it. */
export class Field {
  readonly setting: Setting;
  readonly #error: HTMLElement;
  #input: TextComponent | TextAreaComponent | undefined;

  constructor(
    parent: HTMLElement | Setting,
    { name, desc = '' }: Pick<FieldOptions, 'name' | 'desc'>,
  ) {
    this.setting = (parent instanceof Setting ? parent : new Setting(parent))
      .setName(name)
      .setDesc(desc);
    this.#error = this.setting.infoEl.createDiv({
      cls: 'errand-field-error',
      attr: { role: 'alert' },
    });
  }

  /** Says what is wrong, or nothing. */
  setMistake(message: string | undefined): void {
    this.#error.setText(message ?? '');
    this.setting.settingEl.toggleClass('errand-is-invalid', message !== undefined);
  }

  text(options: FieldOptions): this {
    this.setting.addText((input) => this.#fill(input, options));
    return this;
  }

  area(options: FieldOptions): this {
    this.setting.addTextArea((input) => this.#fill(input, options)).setClass('errand-wide');
    return this;
  }

  /** Writes into its control. */
  setValue(value: string): void {
    this.#input?.setValue(value);
  }

  get inputEl(): HTMLElement | undefined {
    return this.#input?.inputEl;
  }

  #fill(
    input: TextComponent | TextAreaComponent,
    { name, value, placeholder = '', onInput }: FieldOptions,
  ): void {
    this.#input = input;
    input.inputEl.setAttr('aria-label', name);
    input.setPlaceholder(placeholder).setValue(value).onChange(onInput);
  }
}
