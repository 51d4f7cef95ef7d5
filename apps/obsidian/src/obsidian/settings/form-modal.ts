import { type App, Modal, Setting } from 'obsidian';
import type { Mistakes } from '../../settings/find-mistakes.ts';
import { describeThrown } from '../../text/advice.ts';
import { Field } from './field.ts';

/** What a form is: a draft that is checked at every change, and stored only when it is right. */
export interface FormOptions<Draft> {
  readonly title: string;
  readonly draft: Draft;
  readonly save: string;
  /** Draws the fields of a draft; `again` redraws them when they change. */
  readonly draw: (form: FormModal<Draft>, el: HTMLElement) => void;
  /** What is wrong with it, by field; nothing when it may be stored. */
  readonly check: (draft: Draft) => Mistakes | undefined;
  readonly store: (draft: Draft, form: FormModal<Draft>) => Promise<void>;
}

/** The parts of a draft that are text. */
export type TextName<Draft> = {
  [Name in keyof Draft]: Draft[Name] extends string ? Name : never;
}[keyof Draft] &
  string;

export interface FieldTexts {
  readonly name: string;
  readonly desc?: string;
  readonly placeholder?: string;
}

/** A form in a dialog, so that what is typed survives a redraw of the settings. */
export class FormModal<Draft> {
  readonly app: App;
  readonly modal: Modal;
  draft: Draft;
  readonly #options: FormOptions<Draft>;
  readonly #fields = new Map<string, Field>();
  readonly #touched = new Set<string>();
  readonly #ends: (() => void)[] = [];
  #fieldsEl: HTMLElement;
  #noteEl: HTMLElement;
  #hintEl: HTMLElement;
  #saveEl: HTMLButtonElement | undefined;
  #isBusy = false;
  /** The draft holds something that no person typed. */
  isProposed = false;
  /** Called after every change that a person made. */
  onChange: () => void = () => {};

  constructor(app: App, options: FormOptions<Draft>) {
    this.app = app;
    this.#options = options;
    this.draft = options.draft;
    this.modal = new Modal(app);
    this.modal.setTitle(options.title);
    this.modal.setCloseCallback(() => {
      for (const end of this.#ends.splice(0)) end();
    });
    const { contentEl } = this.modal;
    this.#noteEl = contentEl.createDiv({ cls: 'errand-form-note', attr: { role: 'status' } });
    this.#fieldsEl = contentEl.createDiv();
    this.#hintEl = contentEl.createDiv({ cls: 'errand-field-error', attr: { role: 'alert' } });
  }

  open(): this {
    this.drawFields();
    this.#drawButtons();
    this.#check();
    this.modal.open();
    return this;
  }

  close(): void {
    this.modal.close();
  }

  /** To be ended with the form. */
  register(end: () => void): void {
    this.#ends.push(end);
  }

  /** Puts a field under the name that its mistakes have. */
  add(name: string, field: Field): Field {
    this.#fields.set(name, field);
    return field;
  }

  /** A line to type a part of the draft into. */
  addText(el: HTMLElement, name: TextName<Draft>, texts: FieldTexts): Field {
    const value = String(this.draft[name]);
    const onInput = (typed: string) => this.change({ [name]: typed } as Partial<Draft>);
    return this.add(name, new Field(el, texts)).text({ ...texts, value, onInput });
  }

  /** A choice for a part of the draft; another choice may have other fields. */
  addChoice(
    el: HTMLElement,
    name: TextName<Draft>,
    label: string,
    choices: Readonly<Record<string, string>>,
  ): void {
    new Field(el, { name: label }).setting.addDropdown((dropdown) => {
      dropdown.selectEl.setAttr('aria-label', label);
      dropdown
        .addOptions(choices)
        .setValue(String(this.draft[name]))
        .onChange((value) => {
          this.change({ [name]: value } as Partial<Draft>);
          this.drawFields();
        });
    });
  }

  /** Takes over what was typed into a field. */
  change(part: Partial<Draft>): void {
    this.draft = { ...this.draft, ...part };
    for (const name of Object.keys(part)) this.#touched.add(name);
    this.onChange();
    this.#check();
  }

  /** Fills in what a person may type over. */
  propose(part: Partial<Draft>): void {
    this.isProposed = true;
    this.draft = { ...this.draft, ...part };
  }

  /** Whether a person typed into a field. */
  isTouched(name: string): boolean {
    return this.#touched.has(name);
  }

  /** Redraws the fields after they or their values changed. */
  drawFields(): void {
    this.#fields.clear();
    this.#fieldsEl.empty();
    this.#options.draw(this, this.#fieldsEl);
    this.#check();
  }

  /** Shows something above the fields, with what can be done about it. */
  note(text: string, action?: { readonly label: string; readonly onClick: () => void }): void {
    this.#noteEl.empty();
    if (text === '') return;
    const row = new Setting(this.#noteEl).setDesc(text);
    if (action !== undefined) {
      row.addButton((button) => button.setButtonText(action.label).onClick(action.onClick));
    }
  }

  #drawButtons(): void {
    const { contentEl } = this.modal;
    new Setting(contentEl)
      .addButton((button) => {
        this.#saveEl = button.buttonEl;
        button
          .setButtonText(this.#options.save)
          .setCta()
          .onClick(() => this.#store());
      })
      .addButton((button) => button.setButtonText('Cancel').onClick(() => this.close()));
  }

  #check(): void {
    const mistakes = this.#options.check(this.draft);
    const entries = Object.entries(mistakes ?? {});
    for (const [name, field] of this.#fields) {
      field.setMistake(this.#touched.has(name) ? mistakes?.[name] : undefined);
    }
    // What is missing in a field that was not touched yet is said once, at the button.
    const [hidden] = entries.filter(
      ([name]) => !this.#touched.has(name) || !this.#fields.has(name),
    );
    this.#hintEl.setText(hidden?.[1] ?? '');
    this.#hintEl.toggleClass('errand-hint', hidden !== undefined);
    if (this.#saveEl !== undefined) this.#saveEl.disabled = entries.length > 0 || this.#isBusy;
  }

  async #store(): Promise<void> {
    this.#isBusy = true;
    this.#check();
    try {
      await this.#options.store(this.draft, this);
      this.#isBusy = false;
      this.#check();
    } catch (error) {
      this.#isBusy = false;
      this.#check();
      this.#hintEl.setText(describeThrown(error));
      this.#hintEl.toggleClass('errand-hint', false);
    }
  }
}
