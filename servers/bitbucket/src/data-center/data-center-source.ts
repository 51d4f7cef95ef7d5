import type { Source } from '../api/bitbucket-api.ts';
import type { FileCache } from '../api/file-cache.ts';
import type { Entry } from '../api/model.ts';
import type { DataCenterClient, Rest } from './data-center-client.ts';
import { pathText, showChange, showCommit } from './data-center-model.ts';
import { listPages } from './data-center-pages.ts';
import { addressOf } from './data-center-repositories.ts';
import { type SearchClient, searchDataCenter } from './search-data-center.ts';
import { unifiedDiff } from './unified-diff.ts';

const base = '/api/latest/projects/{projectKey}/repos/{repositorySlug}';

/** What a folder answers with; the description leaves it out. */
interface RestFolder {
  readonly children?: {
    readonly values?: readonly {
      readonly path?: { readonly components?: readonly string[] };
      readonly type?: string;
      readonly size?: number;
    }[];
    readonly isLastPage?: boolean;
    readonly nextPageStart?: number;
  };
}

/** Commits, files and comparisons of Data Center. */
export function dataCenterSource(
  client: DataCenterClient,
  files: FileCache,
  search: SearchClient,
): Source {
  return {
    listCommits(name, { at, path }, page) {
      const { signal } = page;
      return listPages(
        page,
        ['commits', name, at, path],
        (position) =>
          client.ask('get', `${base}/commits`, {
            path: addressOf(name),
            query: {
              ...position,
              ...(at && { until: at }),
              ...(path && { path, followRenames: 'true' }),
            },
            signal,
          }),
        showCommit,
      );
    },
    async getCommit(name, id, signal) {
      const path = { ...addressOf(name), commitId: id };
      return showCommit(await client.ask('get', `${base}/commits/{commitId}`, { path, signal }));
    },
    listCommitChanges(name, id, page) {
      const { signal } = page;
      return listPages(
        page,
        ['commit changes', name, id],
        (position) =>
          client.ask('get', `${base}/commits/{commitId}/changes`, {
            path: { ...addressOf(name), commitId: id },
            query: position,
            signal,
          }),
        showChange,
      );
    },
    getFile(name, { path, at }, signal) {
      return files.read([name.owner, name.slug, path, at ?? ''], (headers) =>
        client.fetch('get', `${base}/raw/{path}`, {
          path: { ...addressOf(name), path },
          query: at ? { at } : {},
          headers,
          signal,
          maxBytes: largestFile,
          deadlineMs: 120_000,
        }),
      );
    },
    listDirectory(name, { path, at }, page) {
      const { signal } = page;
      return listPages(
        page,
        ['directory', name, path, at],
        async ({ start, limit }) => {
          const folder = (await client.ask('get', `${base}/browse/{path}`, {
            path: { ...addressOf(name), path },
            query: { start: [String(start)], limit: [String(limit)], ...(at && { at: [at] }) },
            signal,
          })) as RestFolder;
          return folder.children ?? {};
        },
        ({ path: child, type, size }): Entry => ({
          path: [path, pathText(child)].filter((part) => part !== '').join('/'),
          type: type === 'DIRECTORY' ? 'directory' : type === 'SUBMODULE' ? 'submodule' : 'file',
          ...(size !== undefined && { size }),
        }),
      );
    },
    searchCode: (query, page) => searchDataCenter(search, query, page),
    compareCommits(name, { from, to }, page) {
      const { signal } = page;
      return listPages(
        page,
        ['compare commits', name, from, to],
        (position) =>
          client.ask('get', `${base}/compare/commits`, {
            path: addressOf(name),
            query: { ...position, from: to, to: from },
            signal,
          }),
        showCommit,
      );
    },
    compareChanges(name, { from, to }, page) {
      const { signal } = page;
      return listPages(
        page,
        ['compare changes', name, from, to],
        (position) =>
          client.ask('get', `${base}/compare/changes`, {
            path: addressOf(name),
            query: { ...position, from: to, to: from },
            signal,
          }),
        showChange,
      );
    },
    async compareDiff(name, { from, to, path }, signal) {
      const answer = (await client.ask('get', `${base}/compare/diff{path}`, {
        path: { ...addressOf(name), path: path ? `/${path}` : '' },
        query: { from: to, to: from },
        signal,
      })) as { readonly diffs?: readonly Rest<'RestDiff'>[] };
      return unifiedDiff(answer.diffs ?? []);
    },
  };
}

const largestFile = 64 * 1024 * 1024;
