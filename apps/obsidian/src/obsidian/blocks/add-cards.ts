import { type MarkdownPostProcessorContext, TFile } from 'obsidian';
import { findBlock } from '../../find-block.ts';
import { NoteBlocks } from '../../note-blocks.ts';
import { ClosedNotes } from '../closed-notes.ts';
import { notices, tellFailure } from '../notices.ts';
import { openText } from '../open-notes.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { BlockCard, type CardDesk, type FoundBlock } from './block-card.ts';
import { runBlock } from './run-block.ts';
import { untilUnload } from './until-unload.ts';

/** Shows blocks as cards: those of `mcp`, and of every server that there is or will be. */
export function addCards(open: OpenPlugin): void {
  const { plugin, vault, changes } = open;
  const { host } = vault;
  const world = {
    desk: deskOf(open),
    shown: new NoteBlocks(() => host.servers.list()),
    closed: new ClosedNotes(plugin.app.vault, ({ path }) => changes.tell(path)),
    cards: new Set<BlockCard>(),
  };
  // Obsidian leaves them on the screen; a button that does nothing must not stay.
  plugin.register(() => {
    for (const card of world.cards) card.leave();
  });
  const languages = new Set<string>();
  const register = () => {
    for (const language of ['mcp', ...host.servers.list().map(({ name }) => name)]) {
      if (languages.has(language)) continue;
      languages.add(language);
      registerLanguage(open, world, language);
    }
  };
  register();
  const stop = host.events.subscribe(({ kind }) => {
    if (kind !== 'settings-changed') return;
    register();
    changes.tellAll();
  });
  plugin.register(stop);
}

/** What all cards share. */
interface CardWorld {
  readonly desk: CardDesk;
  /** Reads texts that blocks were rendered from, when the note has another by now. */
  readonly shown: NoteBlocks;
  readonly closed: ClosedNotes;
  /** Those on the screen. */
  readonly cards: Set<BlockCard>;
}

/** A language that another plugin has taken costs one server its cards, not the whole plugin. */
function registerLanguage(open: OpenPlugin, world: CardWorld, language: string): void {
  try {
    const show = untilUnload(open.plugin, (body, el, context) =>
      addCard(open, world, { language, body, el, context }),
    );
    open.plugin.registerMarkdownCodeBlockProcessor(language, show);
  } catch (cause) {
    const message = `Blocks of "${language}" are not shown as cards: another plugin shows blocks of this language.`;
    const detail = 'Rename the server in the settings of Errand, or write its blocks as mcp.';
    console.warn(message, cause);
    notices.notify({ level: 'warning', message, detail });
  }
}

interface RenderedBlock {
  readonly language: string;
  readonly body: string;
  readonly el: HTMLElement;
  readonly context: MarkdownPostProcessorContext;
}

function addCard(
  { plugin: { app }, blocks }: OpenPlugin,
  { desk, shown, closed, cards }: CardWorld,
  { language, body, el, context }: RenderedBlock,
): void {
  // Its path changes when it gets another name; what Obsidian told when it rendered does not.
  const note = app.vault.getFileByPath(context.sourcePath) ?? { path: context.sourcePath };
  const find = (): FoundBlock => {
    const { path } = note;
    const text = openText(app, path) ?? (note instanceof TFile ? closed.textOf(note) : undefined);
    if (text === undefined) return 'unread';
    const info = context.getSectionInfo(el);
    const request = { language, body };
    const now = blocks.of(path, text);
    if (info === null) return findBlock(now, request, undefined);
    const rendered = info.text === text ? now : shown.of(path, info.text);
    return findBlock(now, request, { blocks: rendered, place: info });
  };
  const alone = () => blocks.alone(language, body);
  const card = new BlockCard(el, { note, body, desk, find, alone });
  cards.add(card);
  card.register(() => cards.delete(card));
  context.addChild(card);
}

function deskOf(open: OpenPlugin): CardDesk {
  return {
    runs: open.runs,
    isDisabled: (server) => open.vault.host.servers.find(server ?? '')?.enabled === false,
    run: (path, key, options) => void runBlock(open, path, key, options).catch(tellFailure),
    onChange: (path, listener) => open.changes.subscribe(path, listener),
  };
}
