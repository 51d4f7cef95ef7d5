import { readParts } from '@errand/document/frontmatter';
import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { notePath } from '../files/note-path.ts';
import { type NoteFile, readNoteFile } from '../files/read-note-file.ts';
import { decodeNote, etagOf, noteContent } from '../note/note-content.ts';
import { findLines, findSection, lineAt, type Stretch } from '../note/note-lines.ts';
import type { VaultContext } from '../vault-context.ts';
import { VaultError } from '../vault-error.ts';
import { bodyPage, defaultPageSize } from './body-page.ts';
import { cursorField, noteFields, noteOutput } from './note-schema.ts';
import { vaultTool } from './vault-tool.ts';

/** `read_note`: frontmatter and body of one note, or a part of the body. */
export function readNoteTool({ vault }: VaultContext): ToolDefinition {
  return vaultTool({
    name: 'read_note',
    title: 'Read a note',
    description:
      'Reads a note: its frontmatter as an object and its body as Markdown. Of a long note, reads the section under a heading, a range of lines, or page by page.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: z.object({
      path: noteFields.path,
      heading: z.string().optional().describe('Only the section under this heading'),
      start_line: z.int().min(1).optional().describe('Only from this line of the file on'),
      end_line: z.int().min(1).optional().describe('Only up to this line of the file'),
      max_characters: z.int().min(100).max(500_000).default(defaultPageSize),
      cursor: cursorField,
    }),
    output: z.object({
      ...noteOutput,
      start_line: z.int().optional().describe('The first line of the body returned'),
      end_line: z.int().optional().describe('The last line of the body returned'),
      line_count: z.int().optional().describe('How many lines the file has'),
      warnings: z.array(z.string()).optional(),
    }),
    handler({ path, max_characters, cursor, ...part }) {
      const file = readNoteFile(vault, notePath(path));
      const canonical = file.segments.join('/');
      const text = decodeNote(canonical, file.bytes);
      const etag = etagOf(file.bytes);
      const { frontmatter } = noteContent(canonical, text);
      const whole = { from: readParts(text).split.bodyStart, to: text.length };
      const stretch = within(whole, wantedStretch(text, part));
      const { from, to, ...page } = bodyPage(text, stretch ?? whole, etag, max_characters, cursor);
      return {
        path: canonical,
        frontmatter,
        ...page,
        etag,
        ...((stretch !== undefined || page.truncated || cursor !== undefined) && {
          start_line: lineAt(text, from),
          end_line: lineAt(text, to > from ? to - 1 : to),
          line_count: lineAt(text, text.length),
        }),
        ...warnings(file),
      };
    },
  });
}

interface WantedPart {
  readonly heading?: string | undefined;
  readonly start_line?: number | undefined;
  readonly end_line?: number | undefined;
}

function wantedStretch(text: string, part: WantedPart): Stretch | undefined {
  const { heading, start_line, end_line } = part;
  if (start_line === undefined && end_line === undefined) {
    return heading === undefined ? undefined : findSection(text, heading);
  }
  if (heading !== undefined) {
    throw new VaultError('invalid_input', 'Give either a heading or lines, not both.');
  }
  return findLines(text, start_line ?? 1, end_line ?? Number.MAX_SAFE_INTEGER);
}

function within(whole: Stretch, part: Stretch | undefined): Stretch | undefined {
  if (part === undefined) return undefined;
  const from = Math.max(whole.from, part.from);
  return { from, to: Math.max(from, part.to) };
}

function warnings({ stats }: NoteFile): { warnings?: string[] } {
  if (stats.nlink < 2) return {};
  return {
    warnings: [
      `This file has ${stats.nlink} names (hard links), of which some may lie outside the vault. It can be read but not changed.`,
    ],
  };
}
