import { McpError, ServiceError } from '@errand/server-kit';
import type { RepositoryName, Source } from '../api/bitbucket-api.ts';
import type { FileCache } from '../api/file-cache.ts';
import type { Hit } from '../api/model.ts';
import { plainText } from '../api/typed-client.ts';
import type { CloudClient } from './cloud-client.ts';
import { showChange, showCommit, showEntry } from './cloud-model.ts';
import { listPages } from './cloud-pages.ts';
import { addressOf } from './cloud-repositories.ts';

const one = '/repositories/{workspace}/{repo_slug}';
const largestFile = 64 * 1024 * 1024;

/** Commits, files and comparisons of Cloud. */
export function cloudSource(client: CloudClient, files: FileCache): Source {
  /** The commit of a name that an address cannot hold, such as `feature/x`. */
  const resolve = async (
    name: RepositoryName,
    at: string | undefined,
    signal: AbortSignal,
  ): Promise<string> => {
    if (at === undefined) {
      const repository = await client.ask('get', one, { path: addressOf(name), signal });
      const main = repository.mainbranch?.name;
      if (main !== undefined) return await resolve(name, main, signal);
      throw new McpError('not_found', `${name.owner}/${name.slug} has no commits yet.`);
    }
    if (/^[\w.-]+$/.test(at)) return at;
    const path = { ...addressOf(name), name: at };
    for (const kind of ['branches', 'tags'] as const) {
      try {
        const found = await client.ask('get', `${one}/refs/${kind}/{name}`, { path, signal });
        if (found.target?.hash !== undefined) return String(found.target.hash);
      } catch (error) {
        if (!(error instanceof ServiceError && error.kind === 'not_found')) throw error;
      }
    }
    throw new McpError(
      'not_found',
      `There is no branch or tag ${at}. Find one with list_branches.`,
    );
  };
  const between = async (
    name: RepositoryName,
    { from, to }: { readonly from: string; readonly to: string },
    signal: AbortSignal,
  ) => {
    const [base, head] = await Promise.all([
      resolve(name, from, signal),
      resolve(name, to, signal),
    ]);
    // Cloud names first what has the changes.
    return `${head}..${base}`;
  };
  return {
    listCommits(name, { at, path }, page) {
      const { signal } = page;
      return listPages(
        page,
        ['commits', name, at, path],
        { include: at, path },
        (query) => client.ask('get', `${one}/commits`, { path: addressOf(name), query, signal }),
        showCommit,
      );
    },
    async getCommit(name, id, signal) {
      const commit = await resolve(name, id, signal);
      const path = { ...addressOf(name), commit };
      return showCommit(await client.ask('get', `${one}/commit/{commit}`, { path, signal }));
    },
    async listCommitChanges(name, id, page) {
      const { signal } = page;
      const spec = await resolve(name, id, signal);
      return await listPages(
        page,
        ['commit changes', name, id],
        {},
        (query) =>
          client.ask('get', `${one}/diffstat/{spec}`, {
            path: { ...addressOf(name), spec },
            query,
            signal,
          }),
        showChange,
      );
    },
    async getFile(name, { path, at }, signal) {
      const commit = await resolve(name, at, signal);
      const bytes = await files.read([name.owner, name.slug, path, commit], (headers) =>
        client.fetch('get', `${one}/src/{commit}/{path}`, {
          path: { ...addressOf(name), commit, path },
          headers: { accept: '*/*', ...headers },
          signal,
          maxBytes: largestFile,
          deadlineMs: 120_000,
        }),
      );
      if (isFolder(bytes)) {
        throw new McpError('invalid_input', `${path} is a folder. Show it with list_directory.`);
      }
      return bytes;
    },
    async listDirectory(name, { path, at }, page) {
      const { signal } = page;
      const commit = await resolve(name, at, signal);
      return await listPages(
        page,
        ['directory', name, path, at],
        {},
        (query) =>
          client.ask('get', `${one}/src/{commit}/{path}`, {
            path: { ...addressOf(name), commit, path },
            query,
            signal,
          }),
        showEntry,
      );
    },
    searchCode({ text, owner, repository }, page) {
      const { signal } = page;
      const workspace = repository?.owner ?? owner;
      if (workspace === undefined) {
        throw new McpError('invalid_input', 'Name a repository or a workspace to search in.');
      }
      const search = repository === undefined ? text : `${text} repo:${repository.slug}`;
      return listPages(
        page,
        ['search', workspace, search],
        { search_query: search },
        (query) =>
          client.ask('get', '/workspaces/{workspace}/search/code', {
            path: { workspace },
            query,
            signal,
          }),
        ({ file, content_matches = [] }): Hit => {
          const { path = '', commit } = file ?? {};
          const { repository: found } = (commit ?? {}) as {
            readonly repository?: { readonly full_name?: string };
          };
          return {
            ...(found?.full_name && { repository: found.full_name }),
            path,
            lines: content_matches.flatMap(({ lines = [] }) =>
              lines
                .filter(({ segments = [] }) => segments.some(({ match }) => match))
                .map(({ line = 0, segments = [] }) => ({
                  line,
                  text: segments.map(({ text: part = '' }) => part).join(''),
                })),
            ),
          };
        },
      );
    },
    async compareCommits(name, { from, to }, page) {
      const { signal } = page;
      return await listPages(
        page,
        ['compare commits', name, from, to],
        { include: to, exclude: from },
        (query) => client.ask('get', `${one}/commits`, { path: addressOf(name), query, signal }),
        showCommit,
      );
    },
    async compareChanges(name, comparison, page) {
      const { signal } = page;
      const spec = await between(name, comparison, signal);
      return await listPages(
        page,
        ['compare changes', name, comparison],
        {},
        (query) =>
          client.ask('get', `${one}/diffstat/{spec}`, {
            path: { ...addressOf(name), spec },
            query,
            signal,
          }),
        showChange,
      );
    },
    async compareDiff(name, { path, ...comparison }, signal) {
      const spec = await between(name, comparison, signal);
      const response = await client.fetch('get', `${one}/diff/{spec}`, {
        path: { ...addressOf(name), spec },
        query: path ? { path: [path] } : {},
        headers: { accept: 'text/plain' },
        signal,
      });
      return plainText(response);
    },
  };
}

/** Whether an answer is the list of a folder, which Cloud gives where a file was asked for. */
function isFolder(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 300)).toString();
  if (!/^\s*\{/.test(start) || !/"type":\s*"commit_(directory|file)"/.test(start)) return false;
  try {
    return 'pagelen' in (JSON.parse(Buffer.from(bytes).toString()) as object);
  } catch {
    return false;
  }
}
