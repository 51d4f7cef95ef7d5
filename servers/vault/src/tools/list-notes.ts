import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { folderPath } from '../files/note-path.ts';
import { walkNotes } from '../files/walk-notes.ts';
import type { VaultContext } from '../vault-context.ts';
import { vaultTool } from './vault-tool.ts';

/** `list_notes`: the notes below a folder. */
export function listNotesTool({ vault }: VaultContext): ToolDefinition {
  return vaultTool({
    name: 'list_notes',
    title: 'List notes',
    description: 'Lists the notes below a folder of the vault.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: z.object({
      directory: z.string().default('').describe('Folder, such as "Projects"; "" is the vault'),
    }),
    output: z.object({ notes: z.array(z.object({ path: z.string() })) }),
    handler({ directory }) {
      const notes = [...walkNotes(vault, folderPath(directory))]
        .filter(({ kind }) => kind === 'note')
        .map(({ path }) => ({ path }));
      return { notes: notes.sort((a, b) => (a.path < b.path ? -1 : 1)) };
    },
  });
}
