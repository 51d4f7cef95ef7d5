import {
  type BaseComponent,
  ButtonComponent,
  DropdownComponent,
  ExtraButtonComponent,
  TextAreaComponent,
  TextComponent,
  ToggleComponent,
} from './components.ts';

type Build<Control> = (control: Control) => unknown;

/** A row: name and description at the left, controls at the right. */
export class Setting {
  readonly settingEl = made('setting-item');
  readonly infoEl = made('setting-item-info');
  readonly nameEl = made('setting-item-name');
  readonly descEl = made('setting-item-description');
  readonly controlEl = made('setting-item-control');
  readonly components: BaseComponent[] = [];

  constructor(parent: HTMLElement) {
    this.infoEl.append(this.nameEl, this.descEl);
    this.settingEl.append(this.infoEl, this.controlEl);
    parent.append(this.settingEl);
  }

  setName(name: string | DocumentFragment): this {
    this.nameEl.replaceChildren(name);
    return this;
  }

  setDesc(desc: string | DocumentFragment): this {
    this.descEl.replaceChildren(desc);
    return this;
  }

  setClass(name: string): this {
    this.settingEl.classList.add(name);
    return this;
  }

  setHeading(): this {
    return this.setClass('setting-item-heading');
  }

  clear(): this {
    this.controlEl.replaceChildren();
    this.components.length = 0;
    return this;
  }

  addButton(build: Build<ButtonComponent>): this {
    return this.#add(new ButtonComponent(this.controlEl), build);
  }

  addExtraButton(build: Build<ExtraButtonComponent>): this {
    return this.#add(new ExtraButtonComponent(this.controlEl), build);
  }

  addToggle(build: Build<ToggleComponent>): this {
    return this.#add(new ToggleComponent(this.controlEl), build);
  }

  addText(build: Build<TextComponent>): this {
    return this.#add(new TextComponent(this.controlEl), build);
  }

  addTextArea(build: Build<TextAreaComponent>): this {
    return this.#add(new TextAreaComponent(this.controlEl), build);
  }

  addDropdown(build: Build<DropdownComponent>): this {
    return this.#add(new DropdownComponent(this.controlEl), build);
  }

  addComponent(build: (el: HTMLElement) => BaseComponent): this {
    this.components.push(build(this.controlEl));
    return this;
  }

  #add<Control extends BaseComponent>(control: Control, build: Build<Control>): this {
    this.components.push(control);
    build(control);
    return this;
  }
}

function made(className: string): HTMLElement {
  const el = document.createElement('div');
  el.className = className;
  return el;
}
