import type { NoteScans } from '@errand/workspace/runs';
import type { Plugin } from 'obsidian';
import { findResult } from '../../blocks/find-result.ts';
import { untilUnload } from '../blocks/until-unload.ts';
import { notices } from '../notices.ts';
import { openText } from '../open-notes.ts';
import { ResultView } from './result-view.ts';

const statuses = { 'mcp-result': 'success', 'mcp-error': 'error' } as const;

/** Shows answers, also in notes whose servers this vault does not know. */
export function addResults(plugin: Plugin, scans: NoteScans): void {
  const { app } = plugin;
  for (const [language, status] of Object.entries(statuses)) {
    try {
      const show = untilUnload(plugin, (body, el, context) => {
        const { sourcePath: path } = context;
        const info = context.getSectionInfo(el);
        const text = info?.text ?? openText(app, path);
        const note = text === undefined ? undefined : scans.of(path, text);
        const result = findResult(note, { status, body }, info ?? undefined);
        context.addChild(new ResultView(el, { app, result }));
      });
      plugin.registerMarkdownCodeBlockProcessor(language, show);
    } catch (cause) {
      const message = `Blocks of "${language}" are not shown by Errand: another plugin shows them.`;
      console.warn(message, cause);
      notices.notify({ level: 'warning', message });
    }
  }
}
