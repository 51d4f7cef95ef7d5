import { readParts } from '@errand/document/frontmatter';
import type { EditedNote } from '../edit-note.ts';
import { bodyPage, defaultPageSize } from './body-page.ts';

/** A note as it is after a change, in the form `read_note` shows it. */
export function editedContent({ path, text, etag }: EditedNote) {
  const { split, parsed } = readParts(text);
  const whole = { from: split.bodyStart, to: text.length };
  const { from, to, ...page } = bodyPage(text, whole, etag, defaultPageSize);
  return { path, frontmatter: parsed?.status === 'ok' ? parsed.values : {}, ...page, etag };
}
