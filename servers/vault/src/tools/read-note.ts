import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { notePath } from '../files/note-path.ts';
import { readNoteFile } from '../files/read-note-file.ts';
import type { Vault } from '../files/vault.ts';
import { decodeNote, etagOf, noteContent } from '../note/note-content.ts';
import { vaultTool } from './vault-tool.ts';

/** `read_note`: frontmatter and body of one note. */
export function readNoteTool(vault: Vault): ToolDefinition {
  return vaultTool({
    name: 'read_note',
    title: 'Read a note',
    description:
      'Reads a note of the vault: its frontmatter as an object and its body as Markdown.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: z.object({
      path: z.string().describe('Path from the vault\'s folder, such as "Projects/Plan.md"'),
    }),
    output: z.object({
      path: z.string(),
      frontmatter: z.record(z.string(), z.unknown()),
      body: z.string(),
      etag: z.string(),
    }),
    handler({ path }) {
      const file = readNoteFile(vault, notePath(path));
      const canonical = file.segments.join('/');
      const content = noteContent(canonical, decodeNote(canonical, file.bytes));
      return { path: canonical, ...content, etag: etagOf(file.bytes) };
    },
  });
}
