import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { editNote } from '../edit-note.ts';
import { appendToBody } from '../note/note-body.ts';
import type { VaultContext } from '../vault-context.ts';
import { noteFields, noteOutput } from './note-schema.ts';
import { vaultTool } from './vault-tool.ts';

/** `append_to_note`: text at the end of a note or of one of its sections. */
export function appendToNoteTool(context: VaultContext): ToolDefinition {
  return vaultTool({
    name: 'append_to_note',
    title: 'Append to a note',
    description: 'Adds text on a line of its own at the end of a note, or of one of its sections.',
    annotations: { destructiveHint: false, openWorldHint: false },
    input: z.object({
      path: noteFields.path,
      content: z.string().min(1).describe('Markdown to add'),
      heading: z.string().optional().describe('Add at the end of the section under this heading'),
      create: z.boolean().default(false).describe('Make the note if it is not there'),
      if_match: noteFields.ifMatch,
    }),
    output: z.object({ path: noteOutput.path, etag: noteOutput.etag, created: z.boolean() }),
    async handler({ path, content, heading, create, if_match }, { signal }) {
      const { text, ...note } = await editNote(
        context,
        path,
        (before) => appendToBody(before, content, heading),
        { ifMatch: if_match, create, signal },
      );
      return note;
    },
  });
}
