import type { ServiceClient } from '@errand/server-kit';
import type { Page, PageRequest, Source } from '../api/bitbucket-api.ts';
import type { Hit } from '../api/model.ts';
import { type pathText, repositoryText } from './data-center-model.ts';
import { listPages } from './data-center-pages.ts';

/** Searching is not part of the description that Atlassian gives; the page of Bitbucket uses it. */
export type SearchClient = Pick<ServiceClient, 'request'>;

export interface SearchRequest {
  readonly query: string;
  readonly entities: { readonly code: { readonly start: number; readonly limit: number } };
}

export interface SearchAnswer {
  readonly code?: {
    readonly values?: readonly SearchedFile[];
    readonly isLastPage?: boolean;
    readonly nextStart?: number;
  };
}

interface SearchedFile {
  readonly repository?: Parameters<typeof repositoryText>[0];
  readonly file?: Parameters<typeof pathText>[0];
  readonly hitContexts?: readonly (readonly { readonly line?: number; readonly text?: string }[])[];
}

/** Finds text in the code of Data Center. */
export function searchDataCenter(
  client: SearchClient,
  { text, owner, repository }: Parameters<Source['searchCode']>[0],
  page: PageRequest,
): Promise<Page<Hit>> {
  const { signal } = page;
  const scopes =
    repository !== undefined
      ? [`project:${repository.owner}`, `repo:${repository.slug}`]
      : owner !== undefined
        ? [`project:${owner}`]
        : [];
  const query = [text, ...scopes].join(' ');
  return listPages(
    page,
    ['search', query],
    async (at) => {
      const body: SearchRequest = { query, entities: { code: at } };
      const response = await client.request({
        method: 'POST',
        path: 'search/latest/search',
        json: body,
        signal,
        // It only reads, although it is sent as a POST.
        repeatable: true,
      });
      const { code = {} } = response.json() as SearchAnswer;
      const { values = [], isLastPage = true, nextStart } = code;
      return { values, isLastPage, ...(nextStart !== undefined && { nextPageStart: nextStart }) };
    },
    ({ repository: found, file, hitContexts = [] }): Hit => ({
      repository: repositoryText(found),
      path: typeof file === 'string' ? file : (file?.components ?? []).join('/'),
      lines: hitContexts
        .flat()
        .filter(({ text: line = '' }) => line.includes('<em>'))
        .map(({ line = 0, text: marked = '' }) => ({ line, text: plain(marked) })),
    }),
  );
}

/** The text of a line that came with marks around what was found. */
function plain(marked: string): string {
  return marked
    .replaceAll(/<\/?em>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
