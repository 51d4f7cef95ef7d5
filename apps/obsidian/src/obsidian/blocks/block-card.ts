import type { ToolBlock } from '@errand/document';
import { MarkdownRenderChild } from 'obsidian';
import type { BlockRuns } from '../../block-runs.ts';
import { type CardView, describeCard } from '../../describe-card.ts';
import type { KeyedBlock } from '../../note-blocks.ts';

/** What a card asks of the plugin. */
export interface CardDesk {
  readonly runs: Pick<BlockRuns, 'runOf' | 'endOf' | 'cancel'>;
  isDisabled(server: string | null): boolean;
  run(path: string, key: string, options: { readonly force: boolean }): void;
  /** Calls back when the note, what runs in it, or the servers changed. */
  onChange(path: string, listener: () => void): () => void;
}

/** A request of a note; nothing when it cannot be told which one it is, or cannot be told yet. */
export type FoundBlock = KeyedBlock | undefined | 'unread';

export interface CardOptions {
  /** The note it stands in, under the name that it has at the time. */
  readonly note: { readonly path: string };
  /** The request as it is written. */
  readonly body: string;
  readonly desk: CardDesk;
  /** The request as it stands in the note now. */
  readonly find: () => FoundBlock;
  /** The request by itself, to be shown when its place is not known. */
  readonly alone: () => ToolBlock | undefined;
}

/** A request as a card. It runs nothing by being shown, and may be made anew at any time. */
export class BlockCard extends MarkdownRenderChild {
  readonly #options: CardOptions;
  #shown = '';

  constructor(el: HTMLElement, options: CardOptions) {
    super(el);
    this.#options = options;
  }

  override onload(): void {
    const { desk, note } = this.#options;
    this.register(desk.onChange(note.path, () => this.#show()));
    this.#show();
    // Its place is often not known before it is part of the page.
    const drawing = window.requestAnimationFrame(() => this.#show());
    this.register(() => window.cancelAnimationFrame(drawing));
  }

  /** Becomes the text that it stands for. */
  leave(): void {
    this.unload();
    this.containerEl.empty();
    this.containerEl.createEl('pre').createEl('code', { text: this.#options.body });
  }

  #show(): void {
    const { desk, note, find, alone } = this.#options;
    const found = find();
    if (found === undefined || found === 'unread') {
      const block = alone();
      const message = found === undefined ? noPlace : undefined;
      this.#draw(block && { ...describeCard(block, undefined, undefined), message }, undefined);
      return;
    }
    const { key, block } = found;
    const { runs } = desk;
    const [run, end] = [runs.runOf(note.path, key), runs.endOf(note.path, key)];
    this.#draw(describeCard(block, run, end, desk.isDisabled(block.server)), found);
  }

  #draw(view: CardView | undefined, found: KeyedBlock | undefined): void {
    const shown = JSON.stringify([view, found?.key]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const { containerEl } = this;
    containerEl.empty();
    const card = containerEl.createDiv({ cls: 'errand-card' });
    if (view === undefined) {
      card.createDiv({ cls: 'errand-card-message', text: noServer });
      return;
    }
    card.setAttr('data-state', view.state);
    const head = card.createDiv({ cls: 'errand-card-head' });
    head.createSpan({ cls: 'errand-card-tool', text: `${view.server} · ${view.tool}` });
    head.createSpan({ cls: 'errand-card-state', text: found ? view.stateText : '' });
    this.#drawButton(head, view, found);
    this.#drawParams(card, view);
    const { message } = view;
    if (message !== undefined) card.createDiv({ cls: 'errand-card-message', text: message });
  }

  #drawButton(head: HTMLElement, view: CardView, found: KeyedBlock | undefined): void {
    const { desk, note, find } = this.#options;
    const { kind, label } = view.action;
    const button = head.createEl('button', { text: label });
    button.disabled = found === undefined || !view.canAct;
    // The place may have moved since it was drawn: it is looked up when the button is pressed.
    button.addEventListener('click', (event) => {
      event.stopPropagation();
      const now = find();
      if (now === undefined || now === 'unread') return this.#show();
      if (kind === 'cancel') desk.runs.cancel(note.path, now.key);
      else desk.run(note.path, now.key, { force: kind === 'replace' });
    });
  }

  #drawParams(card: HTMLElement, { params }: CardView): void {
    if (params.length === 0) return;
    const list = card.createEl('dl', { cls: 'errand-card-params' });
    for (const [name, value] of params) {
      list.createEl('dt', { text: name });
      list.createEl('dd', { text: value });
    }
  }
}

const noServer =
  'This server is no longer in the settings of Errand. Add it there, or change the first line of the block.';

const noPlace =
  'Obsidian does not say where this block stands, and the note holds others like it. Open the note itself to run it.';
