import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { editNote } from '../edit-note.ts';
import { composeFrontmatter } from '../note/compose-note.ts';
import { noteContent } from '../note/note-content.ts';
import type { VaultContext } from '../vault-context.ts';
import { VaultError } from '../vault-error.ts';
import { noteFields, noteOutput } from './note-schema.ts';
import { vaultTool } from './vault-tool.ts';

/** `update_frontmatter`: some keys of a note, and no other byte. */
export function updateFrontmatterTool(context: VaultContext): ToolDefinition {
  return vaultTool({
    name: 'update_frontmatter',
    title: 'Update frontmatter',
    description:
      'Sets and removes frontmatter keys of a note. The body and every other key stay as they are, byte for byte.',
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    input: z.object({
      path: noteFields.path,
      set: noteFields.frontmatter.default({}).describe('Keys to set, with their values'),
      remove: z.array(z.string()).default([]).describe('Keys to take away'),
      if_match: noteFields.ifMatch,
    }),
    output: z.object({
      path: noteOutput.path,
      frontmatter: noteOutput.frontmatter,
      etag: noteOutput.etag,
    }),
    async handler({ path, set, remove, if_match }, { signal }) {
      const both = remove.find((key) => Object.hasOwn(set, key));
      if (both !== undefined) {
        throw new VaultError(
          'invalid_input',
          `The key ${JSON.stringify(both)} is to be set and removed. Decide for one.`,
        );
      }
      const note = await editNote(
        context,
        path,
        (text, name) => composeFrontmatter(name, text, set, remove),
        { ifMatch: if_match, signal },
      );
      const { frontmatter } = noteContent(note.path, note.text);
      return { path: note.path, frontmatter, etag: note.etag };
    },
  });
}
