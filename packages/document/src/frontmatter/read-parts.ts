import { type ParsedFrontmatter, parseFrontmatter } from './parse-frontmatter.ts';
import { markLength, type SplitNote, splitNote } from './split-note.ts';

/** A note split, with its frontmatter read; YAML that is no mapping counts as body. */
export interface NoteParts {
  readonly split: SplitNote;
  readonly parsed: Exclude<ParsedFrontmatter, { status: 'text' }> | undefined;
}

/** Splits a note and reads its frontmatter, if it has any. */
export function readParts(text: string): NoteParts {
  const split = splitNote(text);
  if (split.yaml === undefined) return { split, parsed: undefined };
  const parsed = parseFrontmatter(text.slice(...split.yaml));
  if (parsed.status !== 'text') return { split, parsed };
  return { split: { text, yaml: undefined, bodyStart: markLength(text) }, parsed: undefined };
}
