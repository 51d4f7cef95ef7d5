/** What draws choices and takes the one that was chosen. */
export interface SuggestOwner<Value> {
  renderSuggestion(value: Value, el: HTMLElement): void;
  selectSuggestion(value: Value, event: Event): void;
}

/** Choices below each other, one of which is marked; keys and the mouse choose. */
export class SuggestionList<Value> {
  readonly el: HTMLElement;
  readonly #owner: SuggestOwner<Value>;
  #values: readonly Value[] = [];
  #marked = 0;

  constructor(el: HTMLElement, owner: SuggestOwner<Value>) {
    this.el = el;
    this.#owner = owner;
  }

  show(values: readonly Value[]): void {
    this.#values = values;
    this.el.replaceChildren(
      ...values.map((value) => {
        const item = document.createElement('div');
        item.className = 'suggestion-item';
        this.#owner.renderSuggestion(value, item);
        // The editor keeps the focus.
        item.addEventListener('mousedown', (event) => event.preventDefault());
        item.addEventListener('click', (event) => this.#owner.selectSuggestion(value, event));
        return item;
      }),
    );
    this.#mark(0);
  }

  /** Whether a key was meant for the list. */
  press(event: KeyboardEvent): boolean {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) this.#mark(this.#marked + step);
    else if (event.key === 'Enter') this.choose(event);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  choose(event: Event): void {
    const value = this.#values[this.#marked];
    if (value !== undefined) this.#owner.selectSuggestion(value, event);
  }

  #mark(index: number): void {
    const { length } = this.#values;
    this.#marked = length === 0 ? 0 : (index + length) % length;
    for (const [at, item] of [...this.el.children].entries()) {
      item.classList.toggle('is-selected', at === this.#marked);
    }
  }
}
