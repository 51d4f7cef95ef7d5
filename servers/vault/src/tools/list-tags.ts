import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import type { VaultContext } from '../vault-context.ts';
import { listPage } from './list-page.ts';
import { cursorField, pageOutput } from './note-schema.ts';
import { vaultTool } from './vault-tool.ts';

/** `list_tags`: every tag with the number of its notes. */
export function listTagsTool({ index }: VaultContext): ToolDefinition {
  return vaultTool({
    name: 'list_tags',
    title: 'List tags',
    description: 'Lists the tags of the vault with how many notes use each, the most used first.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: z.object({ limit: z.int().min(1).max(1000).default(200), cursor: cursorField }),
    output: z.object({
      tags: z.array(z.object({ tag: z.string(), count: z.int() })),
      ...pageOutput,
    }),
    async handler({ limit, cursor }, { signal, progress }) {
      const all = await index.ask('tags', {}, { signal, progress });
      const { items, ...page } = listPage(all, limit, cursor);
      return { tags: items, ...page };
    },
  });
}
