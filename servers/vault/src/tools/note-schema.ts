import * as z from 'zod';

/** Input and output fields that several tools have in common. */
export const noteFields = {
  path: z.string().describe('Path from the vault\'s folder, such as "Projects/Plan.md"'),
  ifMatch: z
    .string()
    .optional()
    .describe('The etag from reading the note: a note that changed since is left alone'),
  frontmatter: z.record(z.string(), z.json()).describe('YAML keys and values'),
};

export const noteOutput = {
  path: z.string().describe("As the disk spells it, from the vault's folder"),
  frontmatter: z.record(z.string(), z.unknown()),
  body: z.string().describe('The text behind the frontmatter'),
  etag: z.string().describe('Names this version; give it as if_match when writing'),
  truncated: z.boolean().describe('Whether the body goes on; read_note with next_cursor'),
  next_cursor: z.string().optional(),
};

export const pageOutput = {
  truncated: z.boolean().describe('Whether there is more; ask again with next_cursor'),
  next_cursor: z.string().optional(),
};

export const leftOutField = z
  .string()
  .optional()
  .describe('Which folders were too deep to be looked into, if any');

export const cursorField = z
  .string()
  .optional()
  .describe('next_cursor of the answer before, to go on where it ended');
