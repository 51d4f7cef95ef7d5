import type { Stretch } from '../note/note-lines.ts';
import { VaultError } from '../vault-error.ts';

/** The first part of a long text, or the part a cursor names. */
export interface BodyPage {
  readonly body: string;
  readonly truncated: boolean;
  readonly next_cursor?: string;
  readonly from: number;
  readonly to: number;
}

export const defaultPageSize = 50_000;

/** Cuts a stretch of a note into pages; a cursor is good for one version of the note only. */
export function bodyPage(
  text: string,
  stretch: Stretch,
  etag: string,
  limit: number,
  cursor?: string,
): BodyPage {
  const from = cursor === undefined ? stretch.from : readCursor(cursor, etag, stretch);
  const to = pageEnd(text, from, stretch.to, limit);
  return {
    body: text.slice(from, to),
    truncated: to < stretch.to,
    ...(to < stretch.to && { next_cursor: `${to}.${etag}` }),
    from,
    to,
  };
}

function readCursor(cursor: string, etag: string, { from, to }: Stretch): number {
  const [, offset = '', version = ''] = /^(\d{1,10})\.([0-9a-f]+)$/.exec(cursor) ?? [];
  const at = Number(offset);
  if (offset === '' || at < from || at > to) {
    throw new VaultError(
      'invalid_input',
      'The cursor is not one of this note. Read from the start.',
    );
  }
  if (version === etag) return at;
  throw new VaultError('conflict', 'The note has changed since. Read it again from the start.');
}

/** At the end of a line if there is one in the second half, never within a character. */
function pageEnd(text: string, from: number, to: number, limit: number): number {
  const most = from + limit;
  if (most >= to) return to;
  const lineEnd = text.lastIndexOf('\n', most - 1) + 1;
  if (lineEnd > from + limit / 2) return lineEnd;
  return /[\ud800-\udbff]/.test(text[most - 1] ?? '') ? most - 1 : most;
}
