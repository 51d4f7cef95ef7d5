import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { editNote } from '../edit-note.ts';
import { patchBody } from '../note/note-body.ts';
import type { VaultContext } from '../vault-context.ts';
import { noteFields, noteOutput } from './note-schema.ts';
import { vaultTool } from './vault-tool.ts';

/** `patch_note`: one piece of a note's body exchanged for another. */
export function patchNoteTool(context: VaultContext): ToolDefinition {
  return vaultTool({
    name: 'patch_note',
    title: 'Patch a note',
    description:
      'Replaces a piece of the body of a note. The old text must occur exactly once, letter for letter.',
    annotations: { destructiveHint: true, openWorldHint: false },
    input: z.object({
      path: noteFields.path,
      old_text: z.string().min(1).describe('What is there now; it must be unique'),
      new_text: z.string().describe('What shall be there instead'),
      if_match: noteFields.ifMatch,
    }),
    output: z.object({ path: noteOutput.path, etag: noteOutput.etag }),
    async handler({ path, old_text, new_text, if_match }, { signal }) {
      const { path: name, etag } = await editNote(
        context,
        path,
        (text, canonical) => patchBody(canonical, text, old_text, new_text),
        { ifMatch: if_match, signal },
      );
      return { path: name, etag };
    },
  });
}
