import { ServiceError } from '@errand/server-kit';
import type { Repositories, RepositoryName } from '../api/bitbucket-api.ts';
import type { CloudClient } from './cloud-client.ts';
import { showBranch, showProject, showRepository } from './cloud-model.ts';
import { listPages } from './cloud-pages.ts';

const one = '/repositories/{workspace}/{repo_slug}';

/** The parameters of an address for a repository. */
export function addressOf({ owner, slug }: RepositoryName) {
  return { workspace: owner, repo_slug: slug } as const;
}

/** Text as Cloud's query language writes it. */
export function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Projects, repositories and branches of Cloud. */
export function cloudRepositories(client: CloudClient): Repositories {
  return {
    async listProjects({ name, workspace }, page) {
      const { signal } = page;
      const filter = name && `name ~ ${quoted(name)}`;
      if (workspace === undefined) {
        // Without a workspace there is no list of projects, so the workspaces stand for them.
        return await listPages(
          page,
          ['workspaces', name],
          { ...(filter && { q: filter }) },
          (query) => client.ask('get', '/workspaces', { query, signal }),
          ({ slug = '', name: title = slug, is_private }) => ({
            key: slug,
            name: title,
            ...(is_private !== undefined && { is_private }),
          }),
        );
      }
      return await listPages(
        page,
        ['projects', workspace, name],
        { ...(filter && { q: filter }) },
        (query) =>
          client.ask('get', '/workspaces/{workspace}/projects', {
            path: { workspace },
            query,
            signal,
          }),
        (project) => showProject(project, workspace),
      );
    },
    listRepositories({ project, name }, page) {
      const { signal } = page;
      const [workspace, key] = project?.split('/') ?? [];
      const filters = [
        ...(key ? [`project.key = ${quoted(key)}`] : []),
        ...(name ? [`name ~ ${quoted(name)}`] : []),
      ];
      const q = filters.length === 0 ? undefined : filters.join(' AND ');
      if (workspace === undefined) {
        return listPages(
          page,
          ['repositories', name],
          { q, role: 'member' },
          (query) => client.ask('get', '/repositories', { query, signal }),
          showRepository,
        );
      }
      return listPages(
        page,
        ['repositories', project, name],
        { q, sort: '-updated_on' },
        (query) =>
          client.ask('get', '/repositories/{workspace}', { path: { workspace }, query, signal }),
        showRepository,
      );
    },
    async getRepository(name, signal) {
      return showRepository(await client.ask('get', one, { path: addressOf(name), signal }));
    },
    async listBranches(name, { filter }, page) {
      const { signal } = page;
      const path = addressOf(name);
      return await listPages(
        page,
        ['branches', name, filter],
        { sort: 'name', ...(filter && { q: `name ~ ${quoted(filter)}` }) },
        (query) => client.ask('get', `${one}/refs/branches`, { path, query, signal }),
        (branch) => showBranch(branch),
      );
    },
    async createBranch(name, branch, signal) {
      const made = await client.ask('post', `${one}/refs/branches`, {
        path: addressOf(name),
        body: { name: branch.name, target: { hash: branch.from } },
        signal,
      });
      return showBranch(made);
    },
    async findBranch(name, branch, signal) {
      try {
        const path = { ...addressOf(name), name: branch };
        return showBranch(await client.ask('get', `${one}/refs/branches/{name}`, { path, signal }));
      } catch (error) {
        if (error instanceof ServiceError && error.kind === 'not_found') return undefined;
        throw error;
      }
    },
  };
}
