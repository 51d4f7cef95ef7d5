import { onServersChange } from '@errand/workspace/servers';
import { ItemView, type WorkspaceLeaf } from 'obsidian';
import { nameArea } from '../name-area.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { drawCalls } from './draw-calls.ts';
import { drawServers } from './draw-servers.ts';
import { FrameThrottle } from './frame-throttle.ts';
import { HistoryPart } from './history-part.ts';
import { redrawKeepingFocus } from './redraw-keeping-focus.ts';
import { tick } from './ticking.ts';

export const viewType = 'errand';

const tickEvery = 1_000;

/** Servers and calls beside the notes. */
export class ErrandView extends ItemView {
  override icon = 'workflow';
  override navigation = false;
  readonly #open: OpenPlugin;
  #history: HistoryPart | undefined;
  #timer: number | undefined;

  constructor(leaf: WorkspaceLeaf, open: OpenPlugin) {
    super(leaf);
    this.#open = open;
  }

  getViewType(): string {
    return viewType;
  }

  getDisplayText(): string {
    return 'Errand';
  }

  showHistory(): void {
    this.#history?.focus();
  }

  protected override async onOpen(): Promise<void> {
    const { contentEl } = this;
    const { activity, plugin, vault } = this.#open;
    contentEl.empty();
    contentEl.addClass('errand-view');
    const serversEl = section(contentEl, 'Servers');
    const callsEl = section(contentEl, 'Calls');
    const history = new HistoryPart(section(contentEl, 'History'), this.#open);
    this.#history = history;
    const draw = (el: HTMLElement, with_: typeof drawServers) => () => {
      redrawKeepingFocus(el, () => with_(el, this.#open));
      this.#tick();
    };
    const servers = new FrameThrottle(serversEl, draw(serversEl, drawServers));
    const calls = new FrameThrottle(callsEl, draw(callsEl, drawCalls));
    this.register(onServersChange(vault, () => servers.soon()));
    this.register(
      activity.subscribe((event) => {
        calls.soon();
        if (event.kind === 'call-ended') history.add(event.call);
      }),
    );
    // What was hidden is shown again, with its times.
    this.registerEvent(plugin.app.workspace.on('layout-change', () => this.#tick()));
    this.register(() => {
      servers.stop();
      calls.stop();
      history.stop();
      this.#stopTicking();
    });
    drawServers(serversEl, this.#open);
    drawCalls(callsEl, this.#open);
    this.#tick();
    await history.load();
  }

  override onResize(): void {
    this.#tick();
  }

  /** Lets times tick while there are some and somebody can see them. */
  #tick(): void {
    const isTicking = this.contentEl.offsetParent !== null && tick(this.contentEl, Date.now());
    if (!isTicking) this.#stopTicking();
    // Of the main window: the view may be moved to another one while it ticks.
    else this.#timer ??= window.setInterval(() => this.#tick(), tickEvery);
  }

  #stopTicking(): void {
    window.clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function section(parent: HTMLElement, title: string): HTMLElement {
  const el = parent.createEl('section', { cls: 'errand-section' });
  nameArea(el, title);
  el.createEl('h4', { text: title, cls: 'errand-section-title' });
  return el.createDiv({ cls: 'errand-section-body' });
}
