import type { Cloud, CloudPaths } from '../../cloud/cloud-client.ts';
import type { Routes } from '../double/routes.ts';
import { Refusal, type World } from '../double/world.ts';
import { cloudRepository, pageOf } from './show-world.ts';

const one = '/repositories/{workspace}/{repo_slug}';

/** Workspaces, projects, repositories and branches as Cloud shows them. */
export function cloudRepositoryRoutes(routes: Routes<CloudPaths>, world: World): void {
  const at = (path: Readonly<Record<string, string>>) =>
    world.repository(path.workspace ?? '', path.repo_slug ?? '');
  const branch = (name: string, hash: string) =>
    ({ type: 'branch', name, target: { type: 'commit', hash } }) as Cloud<'branch'>;
  routes
    .on('get', '/workspaces', ({ url }) =>
      pageOf(
        world.projects
          .filter(({ name }) => matches(url, 'name', name))
          .map(({ key, name }) => ({ type: 'workspace', slug: key, name }) as Cloud<'workspace'>),
        url,
      ),
    )
    .on('get', '/workspaces/{workspace}/projects', ({ path, url }) =>
      pageOf(
        [{ type: 'project', key: 'CORE', name: `Core of ${path.workspace}`, is_private: true }]
          .filter(({ name }) => matches(url, 'name', name))
          .map((project) => project as Cloud<'project'>),
        url,
      ),
    )
    .on('get', '/repositories', ({ url }) => pageOf(world.repositories.map(cloudRepository), url))
    .on('get', '/repositories/{workspace}', ({ path, url }) =>
      pageOf(
        world.repositories
          .filter(({ owner }) => owner === path.workspace)
          .filter(({ slug }) => matches(url, 'name', slug))
          .map(cloudRepository),
        url,
      ),
    )
    .on('get', one, ({ path }) => cloudRepository(at(path)))
    .on('get', `${one}/refs/branches`, async ({ path, url }) => {
      const all = await at(path).git.branches();
      const found = all.filter(({ name }) => matches(url, 'name', name));
      const page = pageOf(found, url);
      return { ...page, values: page.values.map(({ name, commit }) => branch(name, commit)) };
    })
    .on('post', `${one}/refs/branches`, async ({ path, body }) => {
      const { git } = at(path);
      const { name, target } = body;
      const commit = await git.find(target.hash);
      if (commit === undefined) throw new Refusal(404, `${target.hash} does not exist.`);
      if ((await git.find(`refs/heads/${name}`)) !== undefined) {
        throw new Refusal(409, `Branch "${name}" already exists.`);
      }
      await git.createBranches([name], commit);
      return branch(name, commit);
    })
    .on('get', `${one}/refs/branches/{name}`, async ({ path }) => {
      const name = path.name ?? '';
      const commit = await at(path).git.find(`refs/heads/${name}`);
      if (commit === undefined) throw new Refusal(404, `No branch ${name}.`);
      return branch(name, commit);
    })
    .on('get', `${one}/refs/tags/{name}`, ({ path }) => {
      throw new Refusal(404, `No tag ${path.name}.`);
    });
}

/** Whether a name fits the part of Cloud's query language that we use. */
function matches(url: URL, field: string, value: string): boolean {
  const q = url.searchParams.get('q') ?? '';
  const wanted = new RegExp(`${field} ~ "((?:[^"\\\\]|\\\\.)*)"`).exec(q)?.[1];
  if (wanted === undefined) return true;
  return value.toLowerCase().includes(wanted.replaceAll(/\\(.)/g, '$1').toLowerCase());
}
