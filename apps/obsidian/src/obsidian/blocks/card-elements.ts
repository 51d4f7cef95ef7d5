import type { CardAction } from '@errand/workspace/cards';
import { setIcon } from 'obsidian';
import type { CardProgress, RequestCard } from '../../blocks/describe-request.ts';
import { nameArea } from '../name-area.ts';
import { ElapsedTime } from './elapsed-time.ts';

/** A longer value, or one with several lines, is folded. */
const longestValue = 120;

/** The content of a card. */
export interface DrawnCard {
  /** Undefined for a block that is not a request of this vault. */
  readonly view: RequestCard | undefined;
  readonly isEnabled: boolean;
  readonly message: string | undefined;
}

/** The elements of a card. They are updated in place, so that the focus stays. */
export class CardElements implements Disposable {
  readonly #card: HTMLElement;
  readonly #head: HTMLElement;
  readonly #server: HTMLElement;
  readonly #tool: HTMLElement;
  readonly #state: HTMLElement;
  readonly #time: HTMLElement;
  readonly #button: HTMLButtonElement;
  readonly #icon: HTMLElement;
  readonly #label: HTMLElement;
  readonly #params: HTMLElement;
  readonly #progress: HTMLElement;
  readonly #message: HTMLElement;
  readonly #elapsed: ElapsedTime;
  #shownParams = '';

  constructor(parent: HTMLElement, onPress: () => void) {
    this.#card = parent.createDiv({ cls: 'errand-card', attr: { role: 'group' } });
    this.#head = this.#card.createDiv({ cls: 'errand-card-head' });
    const name = this.#head.createDiv({ cls: 'errand-card-name' });
    this.#server = name.createSpan({ cls: 'errand-card-server' });
    this.#tool = name.createSpan({ cls: 'errand-card-tool' });
    const attr = { role: 'status', 'aria-live': 'polite' };
    this.#state = this.#head.createSpan({ cls: 'errand-card-state', attr });
    this.#time = this.#head.createSpan({
      cls: 'errand-card-time',
      attr: { 'aria-hidden': 'true' },
    });
    this.#button = this.#head.createEl('button', { cls: 'errand-card-button' });
    this.#icon = this.#button.createSpan({ attr: { 'aria-hidden': 'true' } });
    this.#label = this.#button.createSpan();
    this.#params = this.#card.createEl('dl', { cls: 'errand-card-params' });
    this.#progress = this.#card.createDiv({ cls: 'errand-card-progress' });
    this.#message = this.#card.createDiv({ cls: 'errand-card-message' });
    this.#elapsed = new ElapsedTime(this.#time);
    this.#button.addEventListener('click', (event) => {
      event.stopPropagation();
      // The second click of a double click would cancel the run, or make it twice.
      if (event.detail <= 1) onPress();
    });
  }

  draw({ view, isEnabled, message }: DrawnCard): void {
    this.#head.hidden = view === undefined;
    show(this.#message, message);
    this.#message.setAttr('data-tone', view?.isNeutral ? 'neutral' : 'bad');
    if (view === undefined) return;
    this.#card.setAttr('data-state', view.state);
    nameArea(this.#card, `Tool block: ${view.server} ${view.tool}`);
    this.#server.textContent = view.server;
    this.#tool.textContent = view.tool;
    show(this.#state, view.stateText);
    this.#state.setAttr('title', view.hint ?? '');
    this.#elapsed.show(view.since, view.took ?? '');
    this.#drawButton(view.action, isEnabled);
    this.#drawParams(view.params);
    this.#drawProgress(view.progress);
  }

  /** Puts the keyboard where a person goes on. */
  focus(): void {
    this.#button.focus();
  }

  [Symbol.dispose](): void {
    this.#elapsed[Symbol.dispose]();
  }

  #drawButton({ kind, label, isPrimary }: CardAction, isEnabled: boolean): void {
    this.#button.disabled = !isEnabled;
    this.#button.classList.toggle('mod-cta', isPrimary && isEnabled);
    if (this.#label.textContent === label) return;
    this.#label.textContent = label;
    setIcon(this.#icon, kind === 'cancel' ? 'square' : label === 'Run' ? 'play' : 'rotate-cw');
  }

  #drawParams(params: RequestCard['params']): void {
    const shown = JSON.stringify(params);
    if (shown === this.#shownParams) return;
    this.#shownParams = shown;
    this.#params.empty();
    this.#params.hidden = params.length === 0;
    for (const [name, value] of params) {
      this.#params.createEl('dt', { text: name });
      addValue(this.#params.createEl('dd'), value);
    }
  }

  #drawProgress(progress: CardProgress | undefined): void {
    this.#progress.hidden = progress === undefined;
    this.#progress.empty();
    if (progress === undefined) return;
    const { value, max, text } = progress;
    const attr = {
      'aria-label': 'Progress',
      ...(max !== undefined && { max: String(max), value: String(Math.min(value, max)) }),
    };
    this.#progress.createEl('progress', { attr });
    this.#progress.createSpan({ text });
  }
}

/** Shows a text; one that stays the same is not read aloud again. */
function show(el: HTMLElement, text: string | undefined): void {
  el.hidden = text === undefined;
  if (el.textContent !== (text ?? '')) el.textContent = text ?? '';
}

function addValue(parent: HTMLElement, value: string): void {
  if (value.length <= longestValue && !value.includes('\n')) {
    parent.textContent = value;
    return;
  }
  const [first = ''] = value.slice(0, longestValue).split('\n', 1);
  const details = parent.createEl('details');
  details.createEl('summary', { text: `${first} …` });
  details.createSpan({ text: value });
}
