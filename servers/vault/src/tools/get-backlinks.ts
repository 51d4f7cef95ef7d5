import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { notePath } from '../files/note-path.ts';
import { openNote } from '../files/open-note.ts';
import type { Vault } from '../files/vault.ts';
import type { VaultContext } from '../vault-context.ts';
import { listPage } from './list-page.ts';
import { cursorField, noteFields, pageOutput } from './note-schema.ts';
import { vaultTool } from './vault-tool.ts';

/** `get_backlinks`: where other notes link to one. */
export function getBacklinksTool({ vault, index }: VaultContext): ToolDefinition {
  return vaultTool({
    name: 'get_backlinks',
    title: 'Backlinks of a note',
    description:
      'Finds the links to a note, [[wiki]] and [Markdown](links.md) alike, with their lines.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: z.object({
      path: noteFields.path,
      limit: z.int().min(1).max(1000).default(100),
      cursor: cursorField,
    }),
    output: z.object({
      path: z.string(),
      backlinks: z.array(z.object({ path: z.string(), line: z.int(), snippet: z.string() })),
      ...pageOutput,
    }),
    async handler({ path, limit, cursor }, { signal, progress }) {
      const canonical = realPath(vault, path);
      const asking = { signal, progress };
      const { links } = await index.ask('backlinks', { path: canonical }, asking);
      const { items, ...page } = listPage(links, limit, cursor);
      return { path: canonical, backlinks: items, ...page };
    },
  });
}

function realPath(vault: Vault, path: string): string {
  using note = openNote(vault, notePath(path));
  return note.segments.join('/');
}
