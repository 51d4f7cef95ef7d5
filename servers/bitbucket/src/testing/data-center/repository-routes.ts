import type { DataCenterPaths } from '../../data-center/data-center-client.ts';
import type { Routes } from '../double/routes.ts';
import { Refusal, type World } from '../double/world.ts';
import { pageOf, restProject, restRepository } from './show-world.ts';

const base = '/api/latest/projects/{projectKey}/repos/{repositorySlug}';

/** Projects, repositories and branches as Data Center shows them. */
export function repositoryRoutes(routes: Routes<DataCenterPaths>, world: World): void {
  const at = (path: Readonly<Record<string, string>>) =>
    world.repository(path.projectKey ?? '', path.repositorySlug ?? '');
  const branchesOf = async (path: Readonly<Record<string, string>>) => {
    const branches = await at(path).git.branches();
    return branches.map(({ name, commit }) => ({
      id: `refs/heads/${name}`,
      displayId: name,
      latestCommit: commit,
      default: name === 'main',
    }));
  };
  const contains = (text: string, query: URLSearchParams, name: string) =>
    text.toLowerCase().includes((query.get(name) ?? '').toLowerCase());
  routes
    .on('get', '/api/latest/projects', ({ query }) =>
      pageOf(
        world.projects
          .filter(({ name, key }) => contains(name, query, 'name') && !key.startsWith('~'))
          .map(({ key, name }) => restProject(key, name)),
        query,
      ),
    )
    .on('get', '/api/latest/repos', ({ query }) =>
      pageOf(
        world.repositories
          .filter(({ slug }) => contains(slug, query, 'name'))
          .filter(({ owner }) => (query.get('projectkey') ?? owner) === owner)
          .map(restRepository),
        query,
      ),
    )
    .on('get', `${base}/branches/default`, async ({ path }) => {
      const main = (await branchesOf(path)).find((branch) => branch.default);
      if (main === undefined) throw new Refusal(404, 'The repository is empty.');
      return { id: main.id, displayId: main.displayId, type: 'BRANCH' };
    })
    .on('get', `${base}/branches`, async ({ path, query }) => {
      const all = await branchesOf(path);
      return pageOf(
        all.filter(({ displayId }) => contains(displayId, query, 'filterText')),
        query,
      );
    })
    .on('post', `${base}/branches`, async ({ path, body }) => {
      const repository = at(path);
      const { name = '', startPoint = '' } = body ?? {};
      if (repository.isArchived) throw new Refusal(409, 'The repository is archived.');
      const commit = await repository.git.find(startPoint);
      if (commit === undefined) throw new Refusal(404, `Commit ${startPoint} does not exist.`);
      if ((await repository.git.find(`refs/heads/${name}`)) !== undefined) {
        throw new Refusal(409, `Branch ${name} already exists.`);
      }
      await repository.git.createBranches([name], commit);
      return { id: `refs/heads/${name}`, displayId: name, latestCommit: commit };
    })
    .on('get', base, ({ path }) => restRepository(at(path)));
}
