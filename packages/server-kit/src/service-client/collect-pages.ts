import { createHash } from 'node:crypto';
import { isRecord } from '@errand/wire';
import { McpError } from '../mcp-error.ts';

/** Where a page of a service begins: at a token that it gave, or at a number of items. */
export type PagePosition = { readonly token: string } | { readonly start: number };

interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins; nothing after the last. */
  readonly next?: PagePosition | undefined;
}

interface CollectOptions<Item> {
  /** Asks the service for the page that begins at a position, or for the first one; `wanted` items are still missing. */
  fetchPage(position: PagePosition | undefined, wanted: number): Promise<Page<Item>>;
  /** How many items to return at most. */
  readonly limit: number;
  /** The cursor of an earlier answer. */
  readonly cursor?: string | undefined;
  /** The question that is asked: a cursor is refused for any other. */
  readonly query: unknown;
  /** How many pages are asked for at most; then the answer is shorter and has a cursor. */
  readonly maxPages?: number;
}

/** Collects items from pages of a service, and makes one kind of cursor for every kind of page. */
export async function collectPages<Item>({
  fetchPage,
  limit,
  cursor,
  query,
  maxPages = 10,
}: CollectOptions<Item>): Promise<{
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}> {
  const fingerprint = fingerprintOf(query);
  let { position, skip } =
    cursor === undefined ? { position: undefined, skip: 0 } : readCursor(cursor, fingerprint);
  const items: Item[] = [];
  for (let pages = 0; ; pages += 1) {
    if (pages === maxPages) return { items, nextCursor: writeCursor(position, skip, fingerprint) };
    const page = await fetchPage(position, limit - items.length);
    const rest = page.items.slice(skip);
    const taken = rest.slice(0, limit - items.length);
    items.push(...taken);
    if (taken.length < rest.length) {
      const nextCursor = writeCursor(position, skip + taken.length, fingerprint);
      return { items, nextCursor };
    }
    if (page.next === undefined) return { items };
    position = page.next;
    skip = 0;
    if (items.length >= limit) return { items, nextCursor: writeCursor(position, 0, fingerprint) };
  }
}

/** A cursor: format, fingerprint of the question, items of the page to skip, and where the page begins. */
type Parts = readonly [1, string, number, string | number | null];

function writeCursor(
  position: PagePosition | undefined,
  skip: number,
  fingerprint: string,
): string {
  const at = position === undefined ? null : 'token' in position ? position.token : position.start;
  return Buffer.from(JSON.stringify([1, fingerprint, skip, at] satisfies Parts)).toString(
    'base64url',
  );
}

function readCursor(
  cursor: string,
  fingerprint: string,
): { position: PagePosition | undefined; skip: number } {
  const parts = parse(Buffer.from(cursor, 'base64url').toString());
  const [version, query, skip, at] = Array.isArray(parts) ? (parts as readonly unknown[]) : [];
  const isWhole = version === 1 && Number.isSafeInteger(skip) && (skip as number) >= 0;
  if (!isWhole || query !== fingerprint || !isPosition(at)) {
    throw new McpError(
      'invalid_input',
      'The cursor does not belong to this question. Use the next_cursor of the same question, or leave it out to start from the beginning.',
    );
  }
  const position = at === null ? undefined : typeof at === 'string' ? { token: at } : { start: at };
  return { position, skip: skip as number };
}

function isPosition(at: unknown): at is string | number | null {
  return at === null || typeof at === 'string' || (Number.isSafeInteger(at) && (at as number) >= 0);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Independent of the order of keys, which clients and schemas change. */
function fingerprintOf(query: unknown): string {
  const text = JSON.stringify(query, (_key, value) =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256')
    .update(text ?? '')
    .digest('base64url')
    .slice(0, 12);
}
