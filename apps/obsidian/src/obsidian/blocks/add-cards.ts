import { blockFailure, type HostEvent } from '@errand/host';
import { requestServer } from '@errand/workspace/cards';
import { NoteBlocks } from '@errand/workspace/runs';
import {
  type App,
  type MarkdownPostProcessorContext,
  MarkdownRenderChild,
  MarkdownView,
  TFile,
} from 'obsidian';
import { blocksLike, findBlock } from '../../blocks/find-block.ts';
import { KeptFocus } from '../../blocks/kept-focus.ts';
import { withoutLastBreaks } from '../../blocks/without-last-breaks.ts';
import { inObsidian } from '../../text/advice.ts';
import { ClosedNotes } from '../closed-notes.ts';
import { notices, showFailure } from '../notices.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { OpenTexts } from '../open-texts.ts';
import { BlockCard, type CardPorts, type FoundBlock } from './block-card.ts';
import { runBlock } from './run-block.ts';
import { untilUnload } from './until-unload.ts';

/** Shows blocks as cards: those of `mcp`, and of every server that there is or will be. */
export function addCards(open: OpenPlugin): void {
  const { plugin, vault, changes } = open;
  const { host } = vault;
  const cards = {
    ports: portsOf(open),
    texts: new OpenTexts(plugin.app),
    closed: new ClosedNotes(plugin.app.vault, ({ path }) => changes.tell(path)),
    shown: new NoteBlocks((path) => host.servers.noteContext(path)),
  };
  const languages = new Set<string>();
  const register = () => {
    const wanted = ['mcp', ...host.servers.list().map(({ name }) => name)];
    const added = wanted.filter((language) => !languages.has(language));
    for (const language of added) {
      languages.add(language);
      registerLanguage(open, cards, language);
    }
    if (added.length > 0) changes.beforeDrawing(() => redrawNotes(plugin.app));
  };
  register();
  addMisnamedBlocks(open);
  const stop = host.events.subscribe(({ kind }) => {
    if (kind === 'settings-changed') register();
    if (refreshing.has(kind)) changes.refresh();
  });
  plugin.register(stop);
}

/** Notes that are open already do not ask for processors that were registered since. */
function redrawNotes({ workspace }: App): void {
  workspace.updateOptions();
  for (const { view } of workspace.getLeavesOfType('markdown')) {
    if (view instanceof MarkdownView) view.previewMode.rerender(true);
  }
}

/** Events after which a card may know other mistakes of its block. */
const refreshing: ReadonlySet<HostEvent['kind']> = new Set([
  'settings-changed',
  'server-connected',
  'server-lost',
  'tools-changed',
]);

/** A language that another plugin has taken costs one server its cards, not the whole plugin. */
function registerLanguage(open: OpenPlugin, cards: Cards, language: string): void {
  try {
    const show = untilUnload(open.plugin, (body, el, context) =>
      addCard(open, cards, { language, body, el, context }),
    );
    open.plugin.registerMarkdownCodeBlockProcessor(language, show);
  } catch (cause) {
    const message = `Blocks of "${language}" are not shown as cards: another plugin shows blocks of this language.`;
    const detail = 'Rename the server in the settings of Errand, or write its blocks as mcp.';
    console.warn(message, cause);
    notices.notify({ level: 'warning', message, detail });
  }
}

interface Cards {
  readonly ports: CardPorts;
  readonly texts: OpenTexts;
  readonly closed: ClosedNotes;
  /** Reads texts that blocks were rendered from, when the note has another by now. */
  readonly shown: NoteBlocks;
}

interface Rendered {
  readonly language: string;
  readonly body: string;
  readonly el: HTMLElement;
  readonly context: MarkdownPostProcessorContext;
}

function addCard(
  { plugin: { app }, blocks }: OpenPlugin,
  { ports, texts, closed, shown }: Cards,
  { language, body, el, context }: Rendered,
): void {
  // The path changes with a rename; the path that Obsidian passed when it rendered does not.
  const note = app.vault.getFileByPath(context.sourcePath) ?? { path: context.sourcePath };
  const request = { language, body };
  const find = (): FoundBlock => {
    const { path } = note;
    const text = texts.of(path) ?? (note instanceof TFile ? closed.textOf(note) : undefined);
    if (text === undefined) return 'unread';
    const now = blocks.of(path, text);
    // Asking for the place costs more than all the rest; it is only needed among several.
    const info = blocksLike(now, request).length > 1 ? context.getSectionInfo(el) : null;
    if (info === null) return findBlock(now, request, undefined);
    const shownThen = info.text === text ? now : shown.of(path, info.text);
    return findBlock(now, request, { blocks: shownThen, place: info });
  };
  const alone = () => blocks.alone(language, body);
  context.addChild(new BlockCard(el, { note, ports, find, alone }));
}

/** Tells the problem of rendered blocks whose language is nearly a server's name: no card is made for them. */
function addMisnamedBlocks(open: OpenPlugin): void {
  const shown = new Set<MisnamedBlock>();
  open.plugin.registerMarkdownPostProcessor((el, context) => {
    for (const code of el.querySelectorAll<HTMLElement>('pre > code[class*="language-"]')) {
      if (!/^tool:[ \t]/m.test(code.textContent)) continue;
      const block = new MisnamedBlock(code, context.sourcePath, open);
      shown.add(block);
      block.register(() => shown.delete(block));
      context.addChild(block);
    }
  });
  // Obsidian keeps what is on the screen when the plugin is disabled.
  open.plugin.register(() => {
    for (const block of shown) block.unload();
  });
}

class MisnamedBlock extends MarkdownRenderChild {
  readonly #path: string;
  readonly #open: OpenPlugin;
  #message: HTMLElement | undefined;

  constructor(code: HTMLElement, path: string, open: OpenPlugin) {
    super(code);
    this.#path = path;
    this.#open = open;
  }

  override onload(): void {
    this.register(this.#open.changes.subscribe(this.#path, () => this.#show()));
    this.register(() => this.#message?.remove());
    this.#show();
  }

  #show(): void {
    const { className, textContent, parentElement } = this.containerEl;
    const [, language = ''] = /(?:^|\s)language-(\S+)/.exec(className) ?? [];
    const problem = this.#open.blocks.alone(language, withoutLastBreaks(textContent))?.problem;
    this.#message?.remove();
    if (problem?.isForeign !== true) return;
    const text = inObsidian(blockFailure(problem));
    this.#message = this.containerEl.createDiv({ cls: 'errand-card-message', text });
    parentElement?.after(this.#message);
  }
}

function portsOf(open: OpenPlugin): CardPorts {
  return {
    runs: open.runs,
    focus: new KeptFocus(),
    serverOf: (block) => requestServer(block, open.vault.host),
    run: (path, key, options) => void runBlock(open, path, key, options).catch(showFailure),
    onChange: (path, listener) => open.changes.subscribe(path, listener),
    beforeDrawing: (listener) => open.changes.beforeDrawing(listener),
  };
}
