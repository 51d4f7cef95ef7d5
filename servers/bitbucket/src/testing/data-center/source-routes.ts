import { createHash } from 'node:crypto';
import type { DataCenterPaths, Rest } from '../../data-center/data-center-client.ts';
import type { SearchAnswer, SearchRequest } from '../../data-center/search-data-center.ts';
import { type Asked, Raw, type Routes } from '../double/routes.ts';
import { Refusal, type World } from '../double/world.ts';
import { pageOf, restChange, restCommit, restPath, restRepository } from './show-world.ts';

const base = '/api/latest/projects/{projectKey}/repos/{repositorySlug}';

/** Data Center gives so many lines of a diff at most. */
const mostDiffLines = 10_000;

/** Commits, files and comparisons as Data Center shows them. */
export function sourceRoutes(routes: Routes<DataCenterPaths>, world: World): void {
  const at = (path: Readonly<Record<string, string>>) =>
    world.repository(path.projectKey ?? '', path.repositorySlug ?? '');
  const commitOf = async (path: Readonly<Record<string, string>>, ref: string) => {
    const found = await at(path).git.find(ref);
    if (found === undefined) throw new Refusal(404, `Commit ${ref} does not exist.`);
    return found;
  };
  const between = async ({ path, query }: Pick<Asked<unknown>, 'path' | 'query'>) => {
    const head = await commitOf(path, query.get('from') ?? '');
    const target = await commitOf(path, query.get('to') ?? '');
    const { git } = at(path);
    return { git, head, target, base: await git.mergeBase(target, head) };
  };
  routes
    .on('get', `${base}/commits`, async ({ path, query }) => {
      const ref = await commitOf(path, query.get('until') ?? 'main');
      const file = query.get('path');
      const follow = file === null ? [] : ['--follow', '--', file];
      return pageOf((await at(path).git.log([ref, ...follow])).map(restCommit), query);
    })
    .on('get', `${base}/commits/{commitId}`, async ({ path }) => {
      const [commit] = await at(path).git.log(['-1', await commitOf(path, path.commitId ?? '')]);
      if (commit === undefined) throw new Refusal(404, 'There is no such commit.');
      return restCommit(commit);
    })
    .on('get', `${base}/commits/{commitId}/changes`, async ({ path, query }) => {
      const { git } = at(path);
      const commit = await commitOf(path, path.commitId ?? '');
      const parent = (await git.find(`${commit}^1`)) ?? '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
      return pageOf((await git.changes(parent, commit)).map(restChange), query);
    })
    .onUndescribed('get', `${base}/raw/{path}`, async ({ path, query, headers }: Asked<never>) => {
      const { git } = at(path);
      const ref = await commitOf(path, query.get('at') ?? 'main');
      const type = await git.typeOf(ref, path.path ?? '');
      if (type !== 'blob') throw new Refusal(404, `The path "${path.path}" does not exist.`);
      const bytes = await git.file(ref, path.path ?? '');
      const etag = `"${createHash('sha1').update(bytes).digest('hex')}"`;
      if (headers['if-none-match'] === etag) return new Raw(304, '', { etag });
      return new Raw(200, bytes, { etag, 'content-type': 'text/plain' });
    })
    .onUndescribed('get', `${base}/browse{path}`, async ({ path, query }: Asked<never>) => {
      const { git } = at(path);
      const ref = await commitOf(path, query.get('at') ?? 'main');
      const folder = (path.path ?? '').replace(/^\/|\/$/g, '');
      const type = await git.typeOf(ref, folder);
      if (type === undefined) throw new Refusal(404, `The path "${folder}" does not exist.`);
      if (type === 'blob') throw new Refusal(400, `The path "${folder}" is a file.`);
      const entries = await git.list(ref, folder);
      return {
        children: pageOf(
          entries.map((entry) => ({
            path: restPath(entry.path),
            type: entry.type === 'tree' ? 'DIRECTORY' : 'FILE',
            ...(entry.type === 'blob' && { size: entry.size }),
          })),
          query,
        ),
      };
    })
    .on('get', `${base}/compare/commits`, async ({ path, query }) => {
      const { git, head, target } = await between({ path, query });
      return pageOf((await git.log([head, `^${target}`])).map(restCommit), query);
    })
    .on('get', `${base}/compare/changes`, async ({ path, query }) => {
      const ends = await between({ path, query });
      return pageOf((await ends.git.changes(ends.base, ends.head)).map(restChange), query);
    })
    .onUndescribed('get', `${base}/compare/diff{path}`, async ({ path, query }: Asked<never>) => {
      const ends = await between({ path, query });
      const file = (path.path ?? '').replace(/^\//, '') || undefined;
      return { diffs: restDiffs(await ends.git.diff(ends.base, ends.head, file)) };
    })
    .onUndescribed('post', '/search/latest/search', async ({ body }: Asked<never>) => {
      const { query, entities } = body as SearchRequest;
      const scope = (name: string) => new RegExp(`${name}:(\\S+)`).exec(query)?.[1];
      const text = query.replaceAll(/(project|repo):\S+/g, '').trim();
      const places = world.repositories.filter(
        ({ owner, slug }) =>
          (scope('project') ?? owner) === owner && (scope('repo') ?? slug) === slug,
      );
      const found = await Promise.all(
        places.map(async (repository) => {
          const hits = await repository.git.grep('main', text);
          return [...new Set(hits.map(({ path }) => path))].map((path) => ({
            repository: restRepository(repository) as never,
            file: path,
            hitContexts: [
              hits
                .filter((hit) => hit.path === path)
                .map(({ line, text: shown }) => ({ line, text: marked(shown, text) })),
            ],
          }));
        }),
      );
      const { start, limit } = entities.code;
      const all = found.flat();
      const isLastPage = start + limit >= all.length;
      return new Raw(
        200,
        JSON.stringify({
          code: {
            values: all.slice(start, start + limit),
            isLastPage,
            ...(!isLastPage && { nextStart: start + limit }),
          },
        } satisfies SearchAnswer),
        { 'content-type': 'application/json' },
      );
    });
}

function marked(line: string, text: string): string {
  const escaped = (part: string) =>
    part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return line
    .split(text)
    .map(escaped)
    .join(`<em>${escaped(text)}</em>`);
}

const lineTypes: Readonly<Record<string, 'ADDED' | 'REMOVED'>> = { '+': 'ADDED', '-': 'REMOVED' };

/** What Data Center tells about changed lines, from what Git tells. */
export function restDiffs(diff: string): Rest<'RestDiff'>[] {
  let left = mostDiffLines;
  return diff
    .split(/^(?=diff --git )/m)
    .filter((section) => section !== '')
    .map((section) => {
      const nameOf = (pattern: RegExp) => pattern.exec(section)?.[1];
      const source = nameOf(/^--- a\/(.+)$/m) ?? nameOf(/^rename from (.+)$/m);
      const destination = nameOf(/^\+\+\+ b\/(.+)$/m) ?? nameOf(/^rename to (.+)$/m);
      const hunks = section.split(/^(?=@@ )/m).slice(1);
      const wanted = section.split('\n').length;
      const truncated = wanted > left;
      const shown = hunks.map((hunk) => {
        const lines = hunk.split('\n').slice(1, truncated ? left : undefined);
        left -= lines.length;
        const [, sourceLine, sourceSpan, destinationLine, destinationSpan] =
          /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(hunk) ?? [];
        return {
          sourceLine: Number(sourceLine),
          sourceSpan: Number(sourceSpan ?? 1),
          destinationLine: Number(destinationLine),
          destinationSpan: Number(destinationSpan ?? 1),
          segments: lines
            .filter((line) => line !== '')
            .map((line) => ({
              type: lineTypes[line[0] ?? ''] ?? ('CONTEXT' as const),
              lines: [{ line: line.slice(1) }],
            })),
        };
      });
      return {
        ...(source !== undefined && { source: restPath(source) }),
        ...(destination !== undefined && { destination: restPath(destination) }),
        binary: /^Binary files/m.test(section),
        truncated,
        hunks: shown,
      };
    });
}
