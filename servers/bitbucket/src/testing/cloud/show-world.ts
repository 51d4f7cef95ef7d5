import type { Cloud } from '../../cloud/cloud-client.ts';
import { endsOf } from '../double/change-world.ts';
import type { GitChange, GitCommit } from '../double/git-repository.ts';
import type { WorldPullRequest, WorldRepository, WorldUser } from '../double/world.ts';

/** Cuts a list into the pages of Cloud, with the address of the next one. */
export function pageOf<Item>(items: readonly Item[], url: URL, most = 100) {
  const page = Number(url.searchParams.get('page') ?? 1);
  const pagelen = Math.min(Number(url.searchParams.get('pagelen') ?? 10), most);
  const next = new URL(url);
  next.searchParams.set('page', String(page + 1));
  return {
    values: items.slice((page - 1) * pagelen, page * pagelen),
    page,
    pagelen,
    size: items.length,
    ...(page * pagelen < items.length && { next: next.href }),
  };
}

export function cloudAccount({ uuid, displayName, slug }: WorldUser) {
  return {
    type: 'account' as const,
    uuid,
    display_name: displayName,
    nickname: slug,
  };
}

export function cloudRepository(repository: WorldRepository): Cloud<'repository'> {
  const { owner, slug, description, forkOf } = repository;
  return {
    type: 'repository',
    full_name: `${owner}/${slug}`,
    name: slug,
    description,
    is_private: true,
    mainbranch: { type: 'branch', name: 'main' },
    links: { html: { href: `https://bitbucket.example.org/${owner}/${slug}` } },
    ...(forkOf && { parent: { type: 'repository', full_name: `${forkOf.owner}/${forkOf.slug}` } }),
  } as Cloud<'repository'>;
}

export function cloudCommit(commit: GitCommit): Cloud<'base_commit'> {
  return {
    type: 'base_commit',
    hash: commit.hash,
    message: commit.message,
    date: new Date(commit.time).toISOString().replace('Z', '+00:00'),
    author: { type: 'author', raw: `${commit.author} <${commit.email}>` },
    parents: commit.parents.map((hash) => ({ type: 'base_commit', hash })),
  } as Cloud<'base_commit'>;
}

const statuses = {
  A: 'added',
  C: 'added',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
} as const;

export function cloudDiffstat(change: GitChange): Cloud<'diffstat'> {
  const { status, path, oldPath, added, removed } = change;
  const file = (name: string) => ({ type: 'commit_file', path: name });
  return {
    type: 'diffstat',
    status: statuses[status],
    lines_added: added,
    lines_removed: removed,
    ...(status !== 'D' && { new: file(path) }),
    ...(status !== 'A' && { old: file(oldPath ?? path) }),
  };
}

const reviews = {
  APPROVED: 'approved',
  NEEDS_WORK: 'changes_requested',
  UNAPPROVED: null,
} as const;

export async function cloudPullRequest(
  repository: WorldRepository,
  request: WorldPullRequest,
): Promise<Cloud<'pullrequest'>> {
  const { head, target } = await endsOf(repository, request);
  const end = (branch: string, hash: string, at: WorldRepository) => ({
    branch: { name: branch },
    commit: { hash: hash.slice(0, 12) },
    repository: cloudRepository(at),
  });
  const { mergeCommit } = request;
  return {
    type: 'pullrequest',
    id: request.id,
    title: request.title,
    summary: { raw: request.description },
    state: request.state,
    draft: request.isDraft,
    author: cloudAccount(request.author),
    source: end(request.from.branch, head, request.from.repository),
    destination: end(request.target, target, repository),
    reviewers: request.reviewers.map(({ user }) => cloudAccount(user)),
    participants: request.reviewers.map(({ user, status }) => ({
      type: 'participant',
      user: cloudAccount(user),
      role: 'REVIEWER',
      approved: status === 'APPROVED',
      state: reviews[status],
    })),
    created_on: new Date(request.created).toISOString(),
    updated_on: new Date(request.updated).toISOString(),
    links: {
      html: {
        href: `https://bitbucket.example.org/${repository.owner}/${repository.slug}/pull-requests/${request.id}`,
      },
    },
    ...(mergeCommit !== undefined && { merge_commit: { hash: mergeCommit } }),
  } as Cloud<'pullrequest'>;
}
