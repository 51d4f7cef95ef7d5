import type { Plugin } from 'obsidian';
import { findResult } from '../../find-result.ts';
import type { NoteScans } from '../../note-scans.ts';
import { notices } from '../notices.ts';
import { openText } from '../open-notes.ts';
import { RenderedBlocks } from '../rendered-blocks.ts';
import { ResultView } from './result-view.ts';

const statuses = { 'mcp-result': 'success', 'mcp-error': 'error' } as const;

/** Shows answers, also in notes whose servers this vault does not know. */
export function addResults(plugin: Plugin, scans: NoteScans): void {
  const { app } = plugin;
  const rendered = new RenderedBlocks();
  plugin.register(() => rendered[Symbol.dispose]());
  for (const [language, status] of Object.entries(statuses)) {
    try {
      plugin.registerMarkdownCodeBlockProcessor(language, (body, el, context) => {
        const { sourcePath: path } = context;
        const info = context.getSectionInfo(el);
        const text = info?.text ?? openText(app, path);
        const note = text === undefined ? undefined : scans.of(path, text);
        const result = findResult(note, { status, body }, info ?? undefined);
        const view = new ResultView(el, { app, result });
        rendered.add(view, body);
        context.addChild(view);
      });
    } catch (cause) {
      const message = `Blocks of "${language}" are not shown by Errand: another plugin shows them.`;
      console.warn(message, cause);
      notices.notify({ level: 'warning', message });
    }
  }
}
