import { collectPages } from '@errand/server-kit';
import type { Page, PageRequest } from '../api/bitbucket-api.ts';
import type { PageQuery } from '../api/typed-client.ts';

interface CloudPage<Item> {
  readonly values?: readonly Item[];
  readonly next?: string;
}

/**
 * Collects the items of a list whose pages name their next one by an address. Only the query of that address is used:
 * no answer and no cursor can send a request elsewhere.
 */
export async function listPages<Item, Shown>(
  { limit, cursor }: PageRequest,
  question: readonly unknown[],
  first: Readonly<Record<string, string | readonly string[] | undefined>>,
  fetchPage: (query: PageQuery) => Promise<CloudPage<Item> | undefined>,
  show: (item: Item) => Shown | undefined,
  largestPage = 100,
  maxPages = 10,
): Promise<Page<Shown>> {
  return await collectPages<Shown>({
    limit,
    cursor,
    query: question,
    maxPages,
    async fetchPage(position, wanted) {
      const query =
        position !== undefined && 'token' in position
          ? readQuery(position.token)
          : listed({ ...first, pagelen: String(Math.min(wanted, largestPage)) });
      const page = (await fetchPage(query)) ?? {};
      const next = page.next === undefined ? undefined : URL.parse(page.next)?.search;
      return {
        items: (page.values ?? []).flatMap((value) => show(value) ?? []),
        ...(next && { next: { token: next } }),
      };
    },
  });
}

function readQuery(text: string): PageQuery {
  const given = new URLSearchParams(text);
  return Object.fromEntries([...given.keys()].map((name) => [name, given.getAll(name)]));
}

function listed(query: Readonly<Record<string, string | readonly string[] | undefined>>) {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? [value] : value]],
    ),
  );
}
