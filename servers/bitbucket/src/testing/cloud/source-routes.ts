import { createHash } from 'node:crypto';
import type { Cloud, CloudPaths } from '../../cloud/cloud-client.ts';
import { type Asked, Raw, type Routes } from '../double/routes.ts';
import { Refusal, type World } from '../double/world.ts';
import { cloudCommit, cloudDiffstat, cloudRepository, pageOf } from './show-world.ts';

const one = '/repositories/{workspace}/{repo_slug}';
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Commits, files and comparisons as Cloud shows them. */
export function cloudSourceRoutes(routes: Routes<CloudPaths>, world: World): void {
  const at = (path: Readonly<Record<string, string>>) =>
    world.repository(path.workspace ?? '', path.repo_slug ?? '');
  const commitOf = async (path: Readonly<Record<string, string>>, ref: string) => {
    const found = await at(path).git.find(ref);
    if (found === undefined) throw new Refusal(404, `Commit not found: ${ref}`);
    return found;
  };
  /** What a commit changed, or what the first of two has and the second has not. */
  const ends = async (path: Readonly<Record<string, string>>) => {
    const { git } = at(path);
    const [first = '', second] = (path.spec ?? '').split('..');
    const head = await commitOf(path, first);
    if (second === undefined) {
      return { git, head, base: (await git.find(`${head}^1`)) ?? emptyTree };
    }
    return { git, head, base: await git.mergeBase(await commitOf(path, second), head) };
  };
  routes
    .on('get', `${one}/commits`, async ({ path, query, url }) => {
      const { git } = at(path);
      const include = await commitOf(path, query.get('include') ?? 'main');
      const exclude = query.get('exclude');
      const without = exclude === null ? [] : [`^${await commitOf(path, exclude)}`];
      const file = query.get('path');
      const follow = file === null ? [] : ['--follow', '--', file];
      const all = await git.log([include, ...without, ...follow]);
      return pageOf(all.map(cloudCommit), url);
    })
    .on('get', `${one}/commit/{commit}`, async ({ path }) => {
      const [commit] = await at(path).git.log(['-1', await commitOf(path, path.commit ?? '')]);
      if (commit === undefined) throw new Refusal(404, 'Commit not found');
      return cloudCommit(commit) as unknown as Cloud<'commit'>;
    })
    .on('get', `${one}/diffstat/{spec}`, async ({ path, url }) => {
      const { git, head, base } = await ends(path);
      return pageOf((await git.changes(base, head)).map(cloudDiffstat), url);
    })
    .onUndescribed('get', `${one}/diff/{spec}`, async ({ path, query }: Asked<never>) => {
      const { git, head, base } = await ends(path);
      const diff = await git.diff(base, head, query.get('path') ?? undefined);
      return new Raw(200, diff, { 'content-type': 'text/plain' });
    })
    // Where the diff of a pull request is: the repository and both commits.
    .onUndescribed('get', `${one}/diff/{owner}/{ends}`, async ({ path, query }: Asked<never>) => {
      const [, head = '', target = ''] = /^[^:]+:(\w+)\r(\w+)$/.exec(path.ends ?? '') ?? [];
      const { git } = at(path);
      const base = await git.mergeBase(await commitOf(path, target), await commitOf(path, head));
      const diff = await git.diff(base, head, query.get('path') ?? undefined);
      return new Raw(200, diff, { 'content-type': 'text/plain' });
    })
    .onUndescribed('get', `${one}/src/{commit}{path}`, async (asked: Asked<never>) => {
      const { path, url, headers } = asked;
      const { git } = at(path);
      const commit = await commitOf(path, path.commit ?? '');
      const name = (path.path ?? '').replace(/^\/|\/$/g, '');
      const type = await git.typeOf(commit, name);
      if (type === undefined) throw new Refusal(404, `No such file or directory: ${name}`);
      if (type === 'tree') {
        const entries = await git.list(commit, name);
        return pageOf(
          entries.map((entry) => ({
            type: entry.type === 'tree' ? 'commit_directory' : 'commit_file',
            path: name === '' ? entry.path : `${name}/${entry.path}`,
            ...(entry.type === 'blob' && { size: entry.size }),
          })),
          url,
        );
      }
      const bytes = await git.file(commit, name);
      const etag = `"${createHash('sha1').update(bytes).digest('hex')}"`;
      if (headers['if-none-match'] === etag) return new Raw(304, '', { etag });
      return new Raw(200, bytes, { etag, 'content-type': 'text/plain' });
    })
    .on('get', '/workspaces/{workspace}/search/code', async ({ path, query, url }) => {
      const question = query.get('search_query') ?? '';
      const slug = /repo:(\S+)/.exec(question)?.[1];
      const text = question.replaceAll(/repo:\S+/g, '').trim();
      const places = world.repositories.filter(
        (each) => each.owner === path.workspace && (slug ?? each.slug) === each.slug,
      );
      const found = await Promise.all(
        places.map(async (repository) => {
          const hits = await repository.git.grep('main', text);
          return [...new Set(hits.map((hit) => hit.path))].map((name) => ({
            type: 'code_search_result',
            file: {
              type: 'commit_file',
              path: name,
              commit: { type: 'commit', repository: cloudRepository(repository) } as never,
            },
            content_matches: [
              {
                lines: hits
                  .filter((hit) => hit.path === name)
                  .map((hit) => ({ line: hit.line, segments: segments(hit.text, text) })),
              },
            ],
          }));
        }),
      );
      return pageOf(found.flat(), url);
    });
}

function segments(line: string, text: string) {
  return line
    .split(text)
    .flatMap((part, index) => [...(index === 0 ? [] : [{ text, match: true }]), { text: part }]);
}
