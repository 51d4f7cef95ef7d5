import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { moveNoteFile } from '../files/move-note-file.ts';
import { notePath } from '../files/note-path.ts';
import { moveWithLinks } from '../move-with-links.ts';
import type { VaultContext } from '../vault-context.ts';
import { noteFields } from './note-schema.ts';
import { vaultTool } from './vault-tool.ts';

/** `move_note`: another path for a note, never that of another note. */
export function moveNoteTool(context: VaultContext): ToolDefinition {
  return vaultTool({
    name: 'move_note',
    title: 'Move or rename a note',
    description:
      'Gives a note another path. Folders are made as needed; nothing is overwritten. Links to the note are changed on request.',
    annotations: { destructiveHint: false, openWorldHint: false },
    input: z.object({
      source: noteFields.path,
      destination: noteFields.path,
      update_links: z.boolean().default(false).describe('Make links in other notes follow'),
    }),
    output: z.object({
      moved: z.boolean(),
      source: z.string(),
      destination: z.string(),
      updated_notes: z.array(z.string()).optional().describe('Notes whose links were changed'),
      failed_notes: z
        .array(z.object({ path: z.string(), reason: z.string() }))
        .optional()
        .describe('Notes whose links still lead to the old path'),
    }),
    async handler({ source, destination, update_links }, { signal, progress }) {
      if (update_links) {
        const asking = { signal, progress };
        const result = await moveWithLinks(context, source, destination, asking);
        return {
          moved: true,
          source: result.source,
          destination: result.destination,
          updated_notes: [...result.updated],
          ...(result.failed.length > 0 && { failed_notes: [...result.failed] }),
        };
      }
      const { vault, lock, index } = context;
      const { from, to } = await moveNoteFile(vault, lock, notePath(source), notePath(destination));
      index.changed(from.join('/'), to.join('/'));
      return { moved: true, source: from.join('/'), destination: to.join('/') };
    },
  });
}
