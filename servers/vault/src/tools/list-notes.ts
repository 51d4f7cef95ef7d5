import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { folderPath } from '../files/note-path.ts';
import type { VaultContext } from '../vault-context.ts';
import { cursorField, leftOutField, pageOutput } from './note-schema.ts';
import { vaultTool } from './vault-tool.ts';

/** `list_notes`: the notes of a folder, or those with a certain frontmatter. */
export function listNotesTool({ index }: VaultContext): ToolDefinition {
  return vaultTool({
    name: 'list_notes',
    title: 'List notes',
    description:
      'Lists the notes of a folder and the folders below it, all or those whose frontmatter holds a value.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: z.object({
      directory: z.string().default('').describe('Folder, such as "Projects"; "" is the vault'),
      filter: z
        .string()
        .nullish()
        .describe('field:value, such as "status:pending"; exact, and of a list any element'),
      recursive: z.boolean().default(true).describe('Whether folders below count'),
      sort: z.enum(['path', 'modified']).default('path').describe('modified is newest first'),
      limit: z.int().min(1).max(1000).default(100),
      cursor: cursorField,
    }),
    // No times or sizes: a note that lists its own folder would never get the same answer twice.
    output: z.object({
      notes: z.array(
        z.object({
          path: z.string(),
          problem: z.string().optional().describe('Why its frontmatter cannot be read'),
        }),
      ),
      ...pageOutput,
      left_out: leftOutField,
    }),
    async handler({ directory, filter, ...request }, { signal, progress }) {
      const folder = folderPath(directory);
      const asked = { ...request, folder, filter: filter ?? undefined };
      const { notes, next_cursor, left_out } = await index.ask('list', asked, { signal, progress });
      return {
        notes: [...notes],
        truncated: next_cursor !== undefined,
        ...(next_cursor !== undefined && { next_cursor }),
        ...(left_out !== undefined && { left_out }),
      };
    },
  });
}
