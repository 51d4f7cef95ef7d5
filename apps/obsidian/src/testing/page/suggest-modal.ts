import { Modal } from './dialogs.ts';
import { SuggestionList, type SuggestOwner } from './suggestion-list.ts';

/** A dialog in which a person searches for one of many things; what a plugin extends. */
export abstract class SuggestModal<Value> extends Modal implements SuggestOwner<Value> {
  readonly app: object;
  limit = 100;
  emptyStateText = 'No results found.';
  readonly inputEl = document.createElement('input');
  readonly resultContainerEl = document.createElement('div');
  readonly #list = new SuggestionList<Value>(this.resultContainerEl, this);

  constructor(app: object) {
    super();
    this.app = app;
    this.modalEl.className = 'prompt';
    this.inputEl.className = 'prompt-input';
    this.resultContainerEl.className = 'prompt-results';
    this.contentEl.append(this.inputEl, this.resultContainerEl);
    this.inputEl.addEventListener('input', () => void this.#update());
    this.inputEl.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close();
      else this.#list.press(event);
    });
  }

  abstract getSuggestions(query: string): Value[] | Promise<Value[]>;
  abstract renderSuggestion(value: Value, el: HTMLElement): void;
  abstract onChooseSuggestion(value: Value, event: Event): void;

  override open(): void {
    super.open();
    this.inputEl.focus();
    void this.#update();
  }

  setPlaceholder(placeholder: string): void {
    this.inputEl.placeholder = placeholder;
  }

  selectSuggestion(value: Value, event: Event): void {
    this.close();
    this.onChooseSuggestion(value, event);
  }

  async #update(): Promise<void> {
    const values = await this.getSuggestions(this.inputEl.value);
    this.#list.show(values.slice(0, this.limit));
    if (values.length === 0) this.resultContainerEl.textContent = this.emptyStateText;
  }
}

interface Match<Value> {
  readonly item: Value;
  readonly match: { readonly score: number; readonly matches: [number, number][] };
}

/** A search in which the letters must come in the order typed. */
export abstract class FuzzySuggestModal<Value> extends SuggestModal<Match<Value>> {
  abstract getItems(): Value[];
  abstract getItemText(item: Value): string;
  abstract onChooseItem(item: Value, event: Event): void;

  getSuggestions(query: string): Match<Value>[] {
    return this.getItems().flatMap((item) => {
      const matches = findLetters(query, this.getItemText(item));
      return matches === undefined ? [] : [{ item, match: { score: 0, matches } }];
    });
  }

  renderSuggestion({ item }: Match<Value>, el: HTMLElement): void {
    el.textContent = this.getItemText(item);
  }

  onChooseSuggestion({ item }: Match<Value>, event: Event): void {
    this.onChooseItem(item, event);
  }
}

/** Where the letters of a query stand in a text, one after the other. */
function findLetters(query: string, text: string): [number, number][] | undefined {
  const places: [number, number][] = [];
  let at = 0;
  for (const letter of query.toLowerCase().replace(/\s/g, '')) {
    const found = text.toLowerCase().indexOf(letter, at);
    if (found === -1) return undefined;
    places.push([found, found + 1]);
    at = found + 1;
  }
  return places;
}
