import type { Rest } from '../../data-center/data-center-client.ts';
import type { RestPullRequest } from '../../data-center/data-center-model.ts';
import { endsOf } from '../double/change-world.ts';
import type { GitChange, GitCommit } from '../double/git-repository.ts';
import type { WorldPullRequest, WorldRepository, WorldUser } from '../double/world.ts';

/** Cuts a list into the pages of Data Center. */
export function pageOf<Item>(items: readonly Item[], query: URLSearchParams, most = 1000) {
  const start = Number(query.get('start') ?? 0);
  const limit = Math.min(Number(query.get('limit') ?? 25), most);
  const values = items.slice(start, start + limit);
  const isLastPage = start + limit >= items.length;
  return {
    values,
    start,
    limit,
    size: values.length,
    isLastPage,
    ...(!isLastPage && { nextPageStart: start + limit }),
  };
}

export function restUser({ name, slug, displayName, email }: WorldUser) {
  return {
    slug,
    name,
    displayName,
    emailAddress: email,
    active: true,
    type: 'NORMAL' as const,
  };
}

export function restProject(key: string, name = key) {
  const type = key.startsWith('~') ? ('PERSONAL' as const) : ('NORMAL' as const);
  return { key, name, public: false, type };
}

export function restRepository(repository: WorldRepository): Rest<'RestRepository'> {
  const { id, slug, owner, description, forkOf, isArchived } = repository;
  return {
    id,
    slug,
    name: slug,
    description,
    public: false,
    archived: isArchived,
    project: restProject(owner),
    links: { self: [{ href: `http://bitbucket.example.org/projects/${owner}/repos/${slug}` }] },
    ...(forkOf && { origin: { slug: forkOf.slug, project: restProject(forkOf.owner) } }),
  };
}

export function restCommit(commit: GitCommit): Rest<'RestCommit'> {
  const { hash, author, email, time, message, parents } = commit;
  return {
    id: hash,
    displayId: hash.slice(0, 11),
    author: { name: author, emailAddress: email },
    authorTimestamp: time,
    message,
    parents: parents.map((id) => ({ id, displayId: id.slice(0, 11) })),
  };
}

export function restPath(path: string) {
  const components = path.split('/');
  return { components, name: components.at(-1) ?? '', parent: components.slice(0, -1).join('/') };
}

const types = { A: 'ADD', C: 'COPY', D: 'DELETE', M: 'MODIFY', R: 'MOVE' } as const;

export function restChange({ status, path, oldPath }: GitChange): Rest<'RestChange'> {
  return {
    path: restPath(path),
    ...(oldPath !== undefined && { srcPath: restPath(oldPath) }),
    type: types[status],
    nodeType: 'FILE',
  };
}

export async function restPullRequest(
  repository: WorldRepository,
  request: WorldPullRequest,
): Promise<RestPullRequest> {
  const { head, target } = await endsOf(repository, request);
  const refOf = (branch: string, latestCommit: string, at: WorldRepository) => ({
    id: `refs/heads/${branch}`,
    displayId: branch,
    latestCommit,
    repository: restRepository(at) as NonNullable<
      NonNullable<RestPullRequest['fromRef']>['repository']
    >,
  });
  const { mergeCommit } = request;
  return {
    id: request.id,
    version: request.version,
    title: request.title,
    description: request.description,
    state: request.state,
    open: request.state === 'OPEN',
    closed: request.state !== 'OPEN',
    draft: request.isDraft,
    createdDate: request.created,
    updatedDate: request.updated,
    fromRef: refOf(request.from.branch, head, request.from.repository),
    toRef: refOf(request.target, target, repository),
    author: { user: restUser(request.author), role: 'AUTHOR' },
    reviewers: request.reviewers.map(({ user, status }) => ({
      user: restUser(user),
      role: 'REVIEWER',
      status,
      approved: status === 'APPROVED',
    })),
    links: {
      self: [
        {
          href: `http://bitbucket.example.org/projects/${repository.owner}/repos/${repository.slug}/pull-requests/${request.id}`,
        },
      ],
    },
    ...(mergeCommit !== undefined && { properties: { mergeCommit: { id: mergeCommit } } }),
  };
}
