export {
  editFrontmatter,
  type FrontmatterEdit,
  isFaithful,
  lineEndOf,
  withFrontmatter,
} from './edit-frontmatter.ts';
export type { FrontmatterValues } from './parse-frontmatter.ts';
export { type NoteParts, readParts } from './read-parts.ts';
export { splitNote } from './split-note.ts';
