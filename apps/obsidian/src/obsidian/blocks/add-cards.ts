import type { MarkdownPostProcessorContext } from 'obsidian';
import { blocksLike, findBlock } from '../../find-block.ts';
import { KeptFocus } from '../../kept-focus.ts';
import { notices, tellFailure } from '../notices.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { OpenTexts } from '../open-texts.ts';
import { BlockCard, type CardDesk } from './block-card.ts';
import { runBlock } from './run-block.ts';
import { untilUnload } from './until-unload.ts';

/** Shows blocks as cards: those of `mcp`, and of every server that there is or will be. */
export function addCards(open: OpenPlugin): void {
  const { plugin, vault, changes } = open;
  const { host } = vault;
  const desk = deskOf(open);
  const texts = new OpenTexts(plugin.app);
  const languages = new Set<string>();
  const register = () => {
    for (const language of ['mcp', ...host.servers.list().map(({ name }) => name)]) {
      if (languages.has(language)) continue;
      languages.add(language);
      registerLanguage(open, { desk, texts }, language);
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
  readonly desk: CardDesk;
  readonly texts: OpenTexts;
}

interface Rendered {
  readonly language: string;
  readonly body: string;
  readonly el: HTMLElement;
  readonly context: MarkdownPostProcessorContext;
}

function addCard(
  { blocks }: OpenPlugin,
  { desk, texts }: Cards,
  { language, body, el, context }: Rendered,
): void {
  const { sourcePath: path } = context;
  const find = () => {
    const open = texts.of(path);
    const like = open === undefined ? [] : blocksLike(blocks.of(path, open), body);
    // Asking for the place costs more than all the rest; it is only needed among several.
    if (like.length === 1) return like[0];
    const info = context.getSectionInfo(el);
    const now = open ?? info?.text;
    if (now === undefined) return undefined;
    // The place belongs to the text that was shown; the request is then looked for in the text as it is now.
    const shown = findBlock(blocks.of(path, info?.text ?? now), body, info ?? undefined);
    return shown && blocks.of(path, now).find(({ key }) => key === shown.key);
  };
  const alone = () => blocks.alone(language, body);
  context.addChild(new BlockCard(el, { path, desk, find, alone }));
}

function deskOf(open: OpenPlugin): CardDesk {
  return {
    runs: open.runs,
    focus: new KeptFocus(),
    run: (path, key, options) => void runBlock(open, path, key, options).catch(tellFailure),
    onChange: (path, listener) => open.changes.subscribe(path, listener),
    beforeDrawing: (listener) => open.changes.beforeDrawing(listener),
  };
}
