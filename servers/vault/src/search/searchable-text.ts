import { type NoteParts, readParts } from '@errand/document/frontmatter';
import { bodyWithoutResults } from '../note/body-without-results.ts';
import { composed } from './fold.ts';

/** The text of a note that is searched: each value of the frontmatter, and the body without results. */
export function searchableTexts(text: string, parts: NoteParts = readParts(text)): string[] {
  const { split, parsed } = parts;
  const body = composed(bodyWithoutResults(text, split.bodyStart));
  if (parsed === undefined) return [body];
  // Broken YAML has no values; search its source instead.
  if (parsed.status === 'broken') return [composed(text.slice(...(split.yaml ?? [0, 0]))), body];
  return [...scalarsIn(parsed.values).map(composed), body];
}

/** Every text, number and truth value in a value, however deep, as text. */
function scalarsIn(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [String(value)];
  return Object.values(value).flatMap(scalarsIn);
}
