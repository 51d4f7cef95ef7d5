import { duration } from '@errand/document/display';
import { callStatusLabels, historyPage, type PastCall } from '@errand/workspace/activity';
import { ago, firstLine } from '@errand/workspace/text';
import type { OpenPlugin } from '../open-plugin.ts';
import { FrameThrottle } from './frame-throttle.ts';
import { addNoteLink } from './note-link.ts';
import { addButton, redrawKeepingFocus } from './redraw-keeping-focus.ts';

const mostRead = 1_000;
const shownAtOnce = 50;

/** The calls that have ended, newest first, a page at a time. */
export class HistoryPart {
  readonly #open: OpenPlugin;
  readonly #search: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #drawn: FrameThrottle;
  #calls: readonly PastCall[] | undefined;
  #shown = shownAtOnce;

  constructor(el: HTMLElement, open: OpenPlugin) {
    this.#open = open;
    this.#search = el.createEl('input', { cls: 'errand-search', attr: { type: 'search' } });
    this.#search.setAttribute('aria-label', 'Search the history');
    this.#search.setAttribute('placeholder', 'Search: server, tool, note, failed …');
    this.#list = el.createDiv({ cls: 'errand-history' });
    this.#drawn = new FrameThrottle(el, () => redrawKeepingFocus(this.#list, () => this.#draw()));
    this.#search.addEventListener('input', () => {
      this.#shown = shownAtOnce;
      this.#drawn.soon();
    });
  }

  focus(): void {
    this.#search.scrollIntoView({ block: 'start' });
    this.#search.focus();
  }

  /** Reads what the log remembers. */
  async load(): Promise<void> {
    const read = await this.#open.vault.log.query({ limit: mostRead });
    const known = new Set(read.map(({ id }) => id));
    const news = this.#calls?.filter(({ id }) => !known.has(id)) ?? [];
    this.#calls = [...news, ...read];
    this.#draw();
  }

  /** Puts a call that has just ended on top. */
  add(ended: PastCall): void {
    this.#calls = [ended, ...(this.#calls ?? [])].slice(0, mostRead);
    this.#drawn.soon();
  }

  stop(): void {
    this.#drawn.stop();
  }

  #draw(): void {
    const filter = { search: this.#search.value, limit: this.#shown };
    const page = historyPage(this.#calls ?? [], filter);
    this.#list.empty();
    if (page.calls.length === 0) {
      const text = this.#search.value === '' ? noCalls : 'No call fits.';
      this.#list.createEl('p', { cls: 'errand-empty', text });
    }
    for (const call of page.calls) this.#drawCall(call);
    if (page.hidden > 0) this.#drawMore(page.hidden);
  }

  #drawCall(call: PastCall): void {
    const { server, tool, status, durationMs, submittedAt, error, note } = call;
    const el = this.#list.createDiv({ cls: 'errand-past' });
    el.dataset.status = status;
    const head = el.createDiv({ cls: 'errand-call-head' });
    head.createSpan({ cls: 'errand-call-name', text: `${server} · ${tool}` });
    const state = `${callStatusLabels[status]} · ${duration(durationMs)}`;
    head.createSpan({ cls: 'errand-call-state', text: state });
    const foot = el.createDiv({ cls: 'errand-past-foot' });
    if (note !== null) addNoteLink(foot, this.#open, { ...call, note });
    const when = foot.createSpan({ text: ago(Date.now() - submittedAt) });
    when.setAttribute('title', new Date(submittedAt).toLocaleString());
    if (error === null || status === 'cancelled') return;
    el.createDiv({ cls: 'errand-past-error', text: firstLine(error.message) });
  }

  #drawMore(hidden: number): void {
    const text = `Show more (${hidden} left)`;
    addButton(this.#list, { text, label: 'Show more' }, () => {
      this.#shown += shownAtOnce;
      this.#drawn.soon();
    });
  }
}

const noCalls =
  'No calls yet. Insert a tool call into a note and run it; every call is kept here, with how it ended.';
