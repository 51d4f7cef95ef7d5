import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { editNote } from '../edit-note.ts';
import { composeNote } from '../note/compose-note.ts';
import type { VaultContext } from '../vault-context.ts';
import { editedContent } from './edited-content.ts';
import { noteFields, noteOutput } from './note-schema.ts';
import { vaultTool } from './vault-tool.ts';

/** `write_note`: a note as a whole, new or in the place of the old. */
export function writeNoteTool(context: VaultContext): ToolDefinition {
  return vaultTool({
    name: 'write_note',
    title: 'Write a note',
    description:
      'Writes a note with this frontmatter and body, making it and its folders if needed. Frontmatter keys with unchanged values keep their comments and spelling.',
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    input: z.object({
      path: noteFields.path,
      frontmatter: noteFields.frontmatter,
      body: z.string().describe('Markdown behind the frontmatter'),
      mode: z
        .enum(['replace', 'merge_frontmatter', 'create'])
        .default('replace')
        .describe(
          'merge_frontmatter keeps the keys that are there and not given; create refuses a note that is there',
        ),
      if_match: noteFields.ifMatch,
    }),
    output: z.object({ ...noteOutput, created: z.boolean() }),
    async handler({ path, frontmatter, body, mode, if_match }, { signal }) {
      const keepOtherKeys = mode === 'merge_frontmatter';
      const note = await editNote(
        context,
        path,
        (text, name) => composeNote(name, text, { frontmatter, body, keepOtherKeys }),
        { ifMatch: if_match, create: mode === 'create' ? 'only' : true, signal },
      );
      return { ...editedContent(note), created: note.created };
    },
  });
}
