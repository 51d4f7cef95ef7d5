import type { ToolBlock } from '@errand/document';
import type { RequestServer } from '@errand/workspace/cards';
import type { KeyedBlock, NoteRuns } from '@errand/workspace/runs';
import { MarkdownRenderChild } from 'obsidian';
import { describeRequest, type RequestCard } from '../../blocks/describe-request.ts';
import type { KeptFocus } from '../../blocks/kept-focus.ts';
import { CardElements } from './card-elements.ts';

/** Dependencies of a card. */
export interface CardPorts {
  readonly runs: Pick<NoteRuns, 'runningBlock' | 'lastOutcome' | 'cancel'>;
  readonly focus: KeptFocus;
  /** What is known of the server and the tool that a block asks for. */
  serverOf(block: ToolBlock): RequestServer;
  run(path: string, key: string, options: { readonly force: boolean }): void;
  /** Calls back when the note, what runs in it, or the servers changed. */
  onChange(path: string, listener: () => void): () => void;
  /** Calls back before the screen is drawn, together with other cards. */
  beforeDrawing(listener: () => void): () => void;
}

/** A request of a note; undefined when it is ambiguous, `unread` when the note is not read yet. */
export type FoundBlock = KeyedBlock | undefined | 'unread';

export interface CardOptions {
  /** The note it is in, with its current path. */
  readonly note: { readonly path: string };
  readonly ports: CardPorts;
  /** Finds the request in the current text of the note. */
  readonly find: () => FoundBlock;
  /** The request by itself, shown when its position is unknown. */
  readonly alone: () => ToolBlock | undefined;
}

/** Shows a request as a card. Showing it runs nothing, and it may be recreated at any time. */
export class BlockCard extends MarkdownRenderChild {
  readonly #options: CardOptions;
  readonly #elements: CardElements;
  #shown = '';
  #key: string | undefined;
  #hasFocus = false;

  constructor(el: HTMLElement, options: CardOptions) {
    super(el);
    this.#options = options;
    this.#elements = new CardElements(el, () => this.#press());
  }

  override onload(): void {
    const { ports, note } = this.#options;
    this.register(ports.onChange(note.path, () => this.#show()));
    this.#followFocus();
    this.#show();
    // The position is often unknown until the element is attached.
    const placed = () => {
      this.#show();
      if (ports.focus.take(this.#place(), Date.now())) this.#elements.focus();
    };
    this.register(ports.beforeDrawing(placed));
    this.register(() => this.#elements[Symbol.dispose]());
  }

  #show(): void {
    const { note, find, alone } = this.#options;
    const found = find();
    const isFound = found !== undefined && found !== 'unread';
    this.#key = isFound ? found.key : undefined;
    if (isFound) {
      this.#draw(this.#describe(note.path, found), true);
      return;
    }
    const block = alone();
    const message = found === undefined ? positionUnknown : undefined;
    this.#draw(block && { ...describeRequest(block, undefined, undefined), message }, false);
  }

  #describe(path: string, { key, block }: KeyedBlock): RequestCard {
    const { ports } = this.#options;
    return describeRequest(
      block,
      ports.runs.runningBlock(path, key),
      ports.runs.lastOutcome(path, key),
      ports.serverOf(block),
    );
  }

  #draw(view: RequestCard | undefined, isFound: boolean): void {
    const message = view === undefined ? noServer : view.message;
    const drawn = { view, isEnabled: isFound && view?.action.isEnabled === true, message };
    const shown = JSON.stringify(drawn);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#elements.draw(drawn);
  }

  #press(): void {
    const { ports, note, find } = this.#options;
    // The block may have moved since it was drawn, so it is looked up on each press.
    const found = find();
    if (found === undefined || found === 'unread') {
      this.#show();
      return;
    }
    const { path } = note;
    const { kind } = this.#describe(path, found).action;
    if (kind === 'cancel') ports.runs.cancel(path, [found.key]);
    else ports.run(path, found.key, { force: kind === 'replace' });
  }

  #followFocus(): void {
    const { containerEl } = this;
    this.registerDomEvent(containerEl, 'focusin', () => {
      this.#hasFocus = true;
    });
    this.registerDomEvent(containerEl, 'focusout', () => {
      this.#hasFocus = !containerEl.isConnected;
    });
    this.register(() => {
      if (this.#hasFocus) this.#options.ports.focus.keep(this.#place(), Date.now());
    });
  }

  #place(): string {
    return `${this.#options.note.path}\n${this.#key ?? ''}`;
  }
}

const noServer =
  'This server is no longer in the settings of Errand. Add it there, or change the first line of the block.';

const positionUnknown =
  'Obsidian does not report where this block is, and the note contains others like it. Open the note itself to run it.';
