interface Info {
  readonly cls?: string;
  readonly text?: string;
  readonly href?: string;
  readonly attr?: Readonly<Record<string, string>>;
}

/** Gives elements the helpers that Obsidian adds to them; only those that the plugin uses. */
export function addDomHelpers(): void {
  const create = function (this: Node, tag: string, info: Info = {}): HTMLElement {
    const el = document.createElement(tag);
    if (info.cls !== undefined) el.className = info.cls;
    if (info.text !== undefined) el.textContent = info.text;
    if (info.href !== undefined) el.setAttribute('href', info.href);
    for (const [name, value] of Object.entries(info.attr ?? {})) el.setAttribute(name, value);
    this.appendChild(el);
    return el;
  };
  const helpers: Readonly<Record<string, (this: HTMLElement, ...args: never[]) => unknown>> = {
    createEl: create,
    createDiv(info: Info) {
      return create.call(this, 'div', info);
    },
    createSpan(info: Info) {
      return create.call(this, 'span', info);
    },
    empty() {
      this.replaceChildren();
    },
    addClass(...names: string[]) {
      this.classList.add(...names);
    },
    appendText(text: string) {
      this.append(text);
    },
    setText(text: string) {
      this.textContent = text;
    },
    setAttr(name: string, value: string) {
      this.setAttribute(name, value);
    },
  };
  for (const [name, value] of Object.entries(helpers)) {
    Object.defineProperty(HTMLElement.prototype, name, { value });
  }
  Object.assign(window, {
    createSpan: (info: Info) => create.call(document.createDocumentFragment(), 'span', info),
  });
  // Those of the window that an element is in.
  Object.defineProperty(Node.prototype, 'doc', {
    get(this: Node) {
      return this.ownerDocument ?? document;
    },
  });
  Object.defineProperty(Node.prototype, 'win', { get: () => window });
}
