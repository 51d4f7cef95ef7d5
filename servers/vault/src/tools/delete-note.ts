import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { trashNoteFile } from '../files/move-note-file.ts';
import { notePath } from '../files/note-path.ts';
import type { VaultContext } from '../vault-context.ts';
import { noteFields } from './note-schema.ts';
import { vaultTool } from './vault-tool.ts';

/** `delete_note`: into the vault's trash folder, from where a person can take it back. */
export function deleteNoteTool({ vault, lock, index }: VaultContext): ToolDefinition {
  return vaultTool({
    name: 'delete_note',
    title: 'Delete a note',
    description: "Moves a note to the vault's trash folder (.trash), where a person can find it.",
    annotations: { destructiveHint: true, openWorldHint: false },
    input: z.object({ path: noteFields.path }),
    output: z.object({ deleted: z.boolean(), path: z.string(), trashed_to: z.string() }),
    async handler({ path }) {
      const { from, to } = await trashNoteFile(vault, lock, notePath(path));
      index.changed(from.join('/'));
      return { deleted: true, path: from.join('/'), trashed_to: to.join('/') };
    },
  });
}
