import { WidgetType } from '@codemirror/view';
import { setIcon } from 'obsidian';
import type { RequestCard } from '../../blocks/describe-request.ts';

const icons = { run: 'play', replace: 'rotate-cw', cancel: 'square' } as const;

/** A small button beside the first line of a block, where no card is. */
export class RunMark extends WidgetType {
  readonly #view: RequestCard;
  readonly #key: string;
  readonly #onPress: (key: string) => void;

  constructor(view: RequestCard, key: string, onPress: (key: string) => void) {
    super();
    this.#view = view;
    this.#key = key;
    this.#onPress = onPress;
  }

  override eq(other: RunMark): boolean {
    return other.#key === this.#key && other.signature === this.signature;
  }

  /** All that is seen of it. */
  get signature(): string {
    const { state, stateText, message, action } = this.#view;
    return JSON.stringify([state, stateText, message, action]);
  }

  override toDOM(): HTMLElement {
    const { server, tool, state, stateText, message, action } = this.#view;
    const mark = createSpan({ cls: 'errand-mark', attr: { 'data-state': state } });
    const button = mark.createEl('button', { cls: 'clickable-icon' });
    setIcon(button, icons[action.kind]);
    button.setAttribute('aria-label', `${action.label}: ${server} ${tool}`);
    button.disabled = !action.isEnabled;
    // The cursor stays where it is.
    button.addEventListener('mousedown', (event) => event.preventDefault());
    button.addEventListener('click', ({ detail }) => {
      // The second click of a double click would cancel the run, or make it twice.
      if (detail <= 1) this.#onPress(this.#key);
    });
    // That it cannot run helps nobody who does not read why.
    const text = state === 'invalid' ? (message ?? stateText) : stateText;
    mark.createSpan({ text, attr: { title: message ?? '' } });
    return mark;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
