import type { BitbucketApi, PullRequestName } from '../api/bitbucket-api.ts';
import { textPage } from './text-page.ts';

/** What is kept of diffs for their next pages, in characters. */
const mostKept = 8 * 1024 * 1024;
const keptFor = 60_000;

/** Diffs in pages. The first page asks for the diff; the next ones come from the copy, while it is young. */
export function createDiffPages(api: BitbucketApi) {
  const kept = new Map<string, { readonly diff: string; readonly until: number }>();
  const keep = (key: string, diff: string) => {
    kept.delete(key);
    kept.set(key, { diff, until: Date.now() + keptFor });
    let size = 0;
    for (const [each, { diff: text, until }] of [...kept].reverse()) {
      size += text.length;
      if (size > mostKept || until < Date.now()) kept.delete(each);
    }
  };
  return {
    async page(
      name: PullRequestName,
      query: {
        readonly path?: string | undefined;
        readonly max_length: number;
        readonly cursor?: string | undefined;
      },
      signal: AbortSignal,
    ) {
      const key = JSON.stringify([name, query.path]);
      const copy = query.cursor === undefined ? undefined : kept.get(key);
      const isYoung = copy !== undefined && copy.until > Date.now();
      const diff = isYoung
        ? copy.diff
        : await api.pullRequests.diff(name, { path: query.path }, signal);
      const { text, next_cursor } = textPage(diff, query.max_length, query.cursor);
      if (next_cursor === undefined) kept.delete(key);
      else keep(key, diff);
      return { diff: text, ...(next_cursor !== undefined && { next_cursor }) };
    },
  };
}
