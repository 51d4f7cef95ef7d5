import type { Plugin } from 'obsidian';
import { notices } from '../notices.ts';
import { showResult } from './show-result.ts';
import { untilUnload } from './until-unload.ts';

const statuses = { 'mcp-result': 'success', 'mcp-error': 'error' } as const;

/** Shows answers, also in notes whose servers this vault does not know. */
export function addResults(plugin: Plugin): void {
  for (const [language, status] of Object.entries(statuses)) {
    try {
      const show = untilUnload(plugin, (source, el) => showResult(status, source, el));
      plugin.registerMarkdownCodeBlockProcessor(language, show);
    } catch (cause) {
      const message = `Blocks of "${language}" are not shown by Errand: another plugin shows them.`;
      console.warn(message, cause);
      notices.notify({ level: 'warning', message });
    }
  }
}
