import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { notePath } from '../files/note-path.ts';
import { readNoteFile } from '../files/read-note-file.ts';
import { decodeNote } from '../note/note-content.ts';
import { findHeadings, lineAt } from '../note/note-lines.ts';
import type { VaultContext } from '../vault-context.ts';
import { listPage } from './list-page.ts';
import { cursorField, noteFields, pageOutput } from './note-schema.ts';
import { vaultTool } from './vault-tool.ts';

/** `get_outline`: the headings of a note, with the lines they stand on. */
export function getOutlineTool({ vault }: VaultContext): ToolDefinition {
  return vaultTool({
    name: 'get_outline',
    title: 'Outline of a note',
    description: 'Lists the headings of a note with their levels and lines, for read_note to pick.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: z.object({
      path: noteFields.path,
      limit: z.int().min(1).max(1000).default(500),
      cursor: cursorField,
    }),
    output: z.object({
      path: z.string(),
      line_count: z.int(),
      headings: z.array(z.object({ level: z.int(), text: z.string(), line: z.int() })),
      ...pageOutput,
    }),
    handler({ path, limit, cursor }) {
      const file = readNoteFile(vault, notePath(path));
      const canonical = file.segments.join('/');
      const text = decodeNote(canonical, file.bytes);
      const all = findHeadings(text).map(({ level, text: title, line }) => ({
        level,
        text: title,
        line,
      }));
      const { items, ...page } = listPage(all, limit, cursor);
      return { path: canonical, line_count: lineAt(text, text.length), headings: items, ...page };
    },
  });
}
