import { VaultError } from '../vault-error.ts';

/** A part of a list, and how to get the next. */
export interface ListPage<T> {
  readonly items: T[];
  readonly truncated: boolean;
  readonly next_cursor?: string;
}

/** Splits a list into pages; a cursor is the index of the next item. */
export function listPage<T>(all: readonly T[], limit: number, cursor?: string): ListPage<T> {
  const from = readCursor(cursor);
  const items = all.slice(from, from + limit);
  const to = from + items.length;
  return to < all.length
    ? { items, truncated: true, next_cursor: String(to) }
    : { items, truncated: false };
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new VaultError('invalid_input', 'The cursor is not one of this tool. Start without it.');
}
