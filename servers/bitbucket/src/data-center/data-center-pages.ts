import { collectPages } from '@errand/server-kit';
import type { Page, PageRequest } from '../api/bitbucket-api.ts';

interface RestPage<Item> {
  readonly values?: readonly Item[];
  readonly isLastPage?: boolean;
  readonly nextPageStart?: number;
}

/** What Data Center gives at most in a page; some lists give less by themselves. */
const largestPage = 1000;

/** Collects the items of a list that is paged by numbers; `question` says what was asked. */
export async function listPages<Item, Shown>(
  { limit, cursor }: PageRequest,
  question: readonly unknown[],
  fetchPage: (page: { readonly start: number; readonly limit: number }) => Promise<RestPage<Item>>,
  show: (item: Item) => Shown | undefined,
): Promise<Page<Shown>> {
  return await collectPages<Shown>({
    limit,
    cursor,
    query: question,
    async fetchPage(position, wanted) {
      const start = position !== undefined && 'start' in position ? position.start : 0;
      const page = await fetchPage({ start, limit: Math.min(wanted, largestPage) });
      const values = page.values ?? [];
      const isLast = page.isLastPage !== false || page.nextPageStart === undefined;
      return {
        items: values.flatMap((value) => show(value) ?? []),
        ...(!isLast && { next: { start: page.nextPageStart ?? start + values.length } }),
      };
    },
  });
}
