import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { moveNoteFile } from '../files/move-note-file.ts';
import { notePath } from '../files/note-path.ts';
import type { VaultContext } from '../vault-context.ts';
import { noteFields } from './note-schema.ts';
import { vaultTool } from './vault-tool.ts';

/** `move_note`: another path for a note, never that of another note. */
export function moveNoteTool({ vault, lock }: VaultContext): ToolDefinition {
  return vaultTool({
    name: 'move_note',
    title: 'Move or rename a note',
    description: 'Gives a note another path. Folders are made as needed; nothing is overwritten.',
    annotations: { destructiveHint: false, openWorldHint: false },
    input: z.object({ source: noteFields.path, destination: noteFields.path }),
    output: z.object({ moved: z.boolean(), source: z.string(), destination: z.string() }),
    async handler({ source, destination }) {
      const { from, to } = await moveNoteFile(vault, lock, notePath(source), notePath(destination));
      return { moved: true, source: from.join('/'), destination: to.join('/') };
    },
  });
}
