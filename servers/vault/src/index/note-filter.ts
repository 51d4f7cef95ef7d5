import { readParts, splitNote } from '@errand/document/frontmatter';
import { VaultError } from '../vault-error.ts';
import { fieldsOf } from './note-facts.ts';

/** What a note's frontmatter must hold to be listed. */
export interface NoteFilter {
  readonly field: string;
  /** The value, as written and without spaces around it; either will do. */
  readonly values: readonly string[];
}

/** Reads `field:value`, split at the first colon. */
export function parseFilter(filter: string): NoteFilter {
  const colon = filter.indexOf(':');
  if (colon < 1) {
    throw new VaultError(
      'invalid_input',
      `${JSON.stringify(filter)} is no filter. Write field:value, such as status:pending.`,
    );
  }
  const value = filter.slice(colon + 1);
  return { field: filter.slice(0, colon), values: [...new Set([value, value.trim()])] };
}

/** Whether the frontmatter of a note holds the value, or a list with it. */
export function noteFits(text: string, filter: NoteFilter): boolean {
  const { yaml } = splitNote(text);
  if (yaml === undefined || !mayFit(text.slice(...yaml), filter)) return false;
  const { parsed } = readParts(text);
  if (parsed?.status !== 'ok') return false;
  return fieldsOf(parsed.values).some(
    ([field, value]) => field === filter.field && filter.values.includes(value),
  );
}

/**
 * Whether some YAML could fit, judged without the cost of parsing it: a key without spaces and quotes
 * stands in the source letter by letter, unless there are escapes.
 */
function mayFit(yaml: string, { field }: NoteFilter): boolean {
  return /[\s'"]/.test(field) || yaml.includes('\\') || yaml.includes(field);
}
