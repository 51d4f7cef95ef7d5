import type { Plugin } from 'obsidian';
import { notices } from '../notices.ts';
import { showResult } from './show-result.ts';

const statuses = { 'mcp-result': 'success', 'mcp-error': 'error' } as const;

/** Shows answers, also in notes whose servers this vault does not know. */
export function addResults(plugin: Plugin): void {
  for (const [language, status] of Object.entries(statuses)) {
    try {
      plugin.registerMarkdownCodeBlockProcessor(language, (source, el) =>
        showResult(status, source, el),
      );
    } catch (cause) {
      const message = `Blocks of "${language}" are not shown by Errand: another plugin shows them.`;
      console.warn(message, cause);
      notices.notify({ level: 'warning', message });
    }
  }
}
