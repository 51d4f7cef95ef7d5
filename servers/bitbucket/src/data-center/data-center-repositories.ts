import { ServiceError } from '@errand/server-kit';
import type { Repositories, RepositoryName } from '../api/bitbucket-api.ts';
import type { DataCenterClient } from './data-center-client.ts';
import { showBranch, showProject, showRepository } from './data-center-model.ts';
import { listPages } from './data-center-pages.ts';

/** The parameters of an address for a repository. */
export function addressOf({ owner, slug }: RepositoryName) {
  return { projectKey: owner, repositorySlug: slug } as const;
}

/** Projects, repositories and branches of Data Center. */
export function dataCenterRepositories(client: DataCenterClient): Repositories {
  const api: Repositories = {
    listProjects({ name }, page) {
      const { signal } = page;
      return listPages(
        page,
        ['projects', name],
        (at) =>
          client.ask('get', '/api/latest/projects', {
            query: { ...at, ...(name && { name }) },
            signal,
          }),
        showProject,
      );
    },
    listRepositories({ project, name }, page) {
      const { signal } = page;
      return listPages(
        page,
        ['repositories', project, name],
        (at) =>
          client.ask('get', '/api/latest/repos', {
            query: {
              ...at,
              ...(name && { name }),
              ...(project && { projectkey: project }),
            },
            signal,
          }),
        (repository) => showRepository(repository),
      );
    },
    async getRepository(name, signal) {
      const path = addressOf(name);
      const base = '/api/latest/projects/{projectKey}/repos/{repositorySlug}';
      const [repository, branch] = await Promise.all([
        client.ask('get', base, { path, signal }),
        client.ask('get', `${base}/branches/default`, { path, signal }).catch(ignoreMissing),
      ]);
      return showRepository(repository, branch?.displayId);
    },
    listBranches(name, { filter }, page) {
      const { signal } = page;
      return listPages(
        page,
        ['branches', name, filter],
        (at) =>
          client.ask('get', '/api/latest/projects/{projectKey}/repos/{repositorySlug}/branches', {
            path: addressOf(name),
            query: { ...at, ...(filter && { filterText: filter }) },
            signal,
          }),
        showBranch,
      );
    },
    async createBranch(name, branch, signal) {
      return showBranch(
        await client.ask(
          'post',
          '/api/latest/projects/{projectKey}/repos/{repositorySlug}/branches',
          {
            path: addressOf(name),
            body: { name: branch.name, startPoint: branch.from },
            signal,
          },
        ),
      );
    },
    async findBranch(name, branch, signal) {
      const { items } = await api.listBranches(name, { filter: branch }, { limit: 1000, signal });
      return items.find((each) => each.name === branch);
    },
  };
  return api;
}

/** A repository without a commit has no default branch. */
function ignoreMissing(error: unknown): undefined {
  if (error instanceof ServiceError && error.kind === 'not_found') return undefined;
  throw error;
}
