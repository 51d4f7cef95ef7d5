import { bodyWithoutResults } from '../note/body-without-results.ts';
import { type NoteParts, readParts } from '../note/note-content.ts';
import { composed } from './fold.ts';

/** What a search looks at in a note: each value of the frontmatter, and the body's own words. */
export function searchableTexts(text: string, parts: NoteParts = readParts(text)): string[] {
  const { split, parsed } = parts;
  const body = composed(bodyWithoutResults(text, split.bodyStart));
  if (parsed === undefined) return [body];
  // Broken YAML has no values; its letters are better found than lost.
  if (parsed.status === 'broken') return [composed(text.slice(...(split.yaml ?? [0, 0]))), body];
  return [...scalarsIn(parsed.values).map(composed), body];
}

/** Every text, number and truth value in a value, however deep, as text. */
function scalarsIn(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [String(value)];
  return Object.values(value).flatMap(scalarsIn);
}
