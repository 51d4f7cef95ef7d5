import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import type { VaultContext } from '../vault-context.ts';
import { cursorField, leftOutField, pageOutput } from './note-schema.ts';
import { vaultTool } from './vault-tool.ts';

/** `search_notes`: the notes in which words occur. */
export function searchNotesTool({ index }: VaultContext): ToolDefinition {
  return vaultTool({
    name: 'search_notes',
    title: 'Search notes',
    description:
      'Finds notes in whose body or frontmatter values all words occur, also as parts of words. Large and small letters are the same, accents are not. Quotes make a phrase: "status report". The best come first.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: z.object({
      query: z.string().max(2000).describe('Words, or phrases in quotes'),
      limit: z.int().min(1).max(100).default(20),
      cursor: cursorField,
    }),
    output: z.object({
      notes: z.array(
        z.object({ path: z.string(), snippet: z.string().describe('Text around the first match') }),
      ),
      ...pageOutput,
      left_out: leftOutField,
    }),
    async handler(request, { signal, progress }) {
      const { notes, next_cursor, left_out } = await index.ask('search', request, {
        signal,
        progress,
      });
      return {
        notes: [...notes],
        truncated: next_cursor !== undefined,
        ...(next_cursor !== undefined && { next_cursor }),
        ...(left_out !== undefined && { left_out }),
      };
    },
  });
}
