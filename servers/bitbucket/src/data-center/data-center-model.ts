import type {
  Branch,
  Build,
  Change,
  Commit,
  Project,
  PullRequest,
  Repository,
  User,
} from '../api/model.ts';
import type { Rest } from './data-center-client.ts';

/** What Data Center answers but its description leaves out. */
export type RestPullRequest = Rest<'RestPullRequest'> & {
  readonly author?: Rest<'RestPullRequestParticipant'>;
  readonly properties?: { readonly mergeCommit?: { readonly id?: string } };
};

export function isoTime(milliseconds: number | undefined): string {
  return new Date(milliseconds ?? 0).toISOString();
}

export interface RestUser {
  readonly slug?: string;
  readonly name?: string;
  readonly displayName?: string;
}

/** A person by the user name, which lists and reviewers are asked for by; a slug may differ from it. */
export function showUser(user: RestUser = {}): User {
  const id = user.name ?? user.slug ?? '';
  return { id, name: user.displayName ?? user.name ?? id };
}

export function showProject(project: Rest<'RestProject'>): Project {
  const { key = '', name = key, description } = project;
  return {
    key,
    name,
    ...(description && { description }),
    ...(project.public !== undefined && { is_private: !project.public }),
  };
}

type RepositoryFacts = NonNullable<NonNullable<Rest<'RestPullRequest'>['fromRef']>['repository']>;

/** The name of a repository as the tools take it. */
export function repositoryText(repository: RepositoryFacts | undefined): string {
  return `${repository?.project?.key ?? ''}/${repository?.slug ?? ''}`;
}

export function showRepository(
  repository: Rest<'RestRepository'>,
  defaultBranch?: string,
): Repository {
  const { description, origin, archived } = repository;
  const url = firstLink(repository.links, 'self');
  return {
    repository: repositoryText(repository),
    name: repository.name ?? repository.slug ?? '',
    ...(description && { description }),
    ...(defaultBranch && { default_branch: defaultBranch }),
    is_private: repository.public !== true,
    ...(archived && { is_archived: archived }),
    ...(origin && { fork_of: repositoryText(origin) }),
    ...(url && { url }),
  };
}

/** The address of a thing on the page of Bitbucket. */
function firstLink(
  links: Readonly<Record<string, unknown>> | undefined,
  name: string,
): string | undefined {
  const [link] = (links?.[name] ?? []) as readonly { readonly href?: string }[];
  return link?.href;
}

export function showBranch(branch: Rest<'RestBranch'>): Branch {
  const { displayId = '', latestCommit = '' } = branch;
  return { name: displayId, commit: latestCommit, ...(branch.default && { is_default: true }) };
}

export function showCommit(commit: Rest<'RestCommit'>): Commit {
  return {
    id: commit.id ?? '',
    message: commit.message ?? '',
    author: commit.author?.name ?? '',
    date: isoTime(commit.authorTimestamp),
    parents: (commit.parents ?? []).map(({ id = '' }) => id),
  };
}

interface RestPath {
  readonly components?: readonly string[];
}

/** A path; the description says it has parts, but anchors of comments have it as text. */
export function pathText(path: RestPath | string | undefined): string {
  return typeof path === 'string' ? path : (path?.components ?? []).join('/');
}

const changeTypes = {
  ADD: 'added',
  COPY: 'copied',
  DELETE: 'deleted',
  MODIFY: 'modified',
  MOVE: 'renamed',
  UNKNOWN: 'unknown',
} as const;

export function showChange({ path, srcPath, type = 'UNKNOWN' }: Rest<'RestChange'>): Change {
  const oldPath = pathText(srcPath);
  return {
    path: pathText(path),
    type: changeTypes[type],
    ...(oldPath !== '' && oldPath !== pathText(path) && { old_path: oldPath }),
  };
}

const reviews = { APPROVED: 'approved', NEEDS_WORK: 'needs_work', UNAPPROVED: 'none' } as const;
const states = { OPEN: 'open', MERGED: 'merged', DECLINED: 'declined' } as const;

export function showPullRequest(request: RestPullRequest): PullRequest {
  const { id = 0, title = '', state = 'OPEN', description, fromRef, toRef, draft } = request;
  const url = firstLink(request.links, 'self');
  const repository = repositoryText(toRef?.repository);
  const from = repositoryText(fromRef?.repository);
  const mergeCommit = request.properties?.mergeCommit?.id;
  return {
    repository,
    id,
    title,
    state: states[state],
    ...(draft && { draft }),
    author: showUser(request.author?.user),
    source: {
      branch: fromRef?.displayId ?? '',
      ...(fromRef?.latestCommit && { commit: fromRef.latestCommit }),
      ...(from !== repository && { repository: from }),
    },
    target: {
      branch: toRef?.displayId ?? '',
      ...(toRef?.latestCommit && { commit: toRef.latestCommit }),
    },
    reviewers: (request.reviewers ?? []).map((reviewer) => ({
      ...showUser(reviewer.user),
      review: reviews[reviewer.status ?? 'UNAPPROVED'],
    })),
    created: isoTime(request.createdDate),
    updated: isoTime(request.updatedDate),
    version: String(request.version ?? 0),
    ...(url && { url }),
    ...(description && { description }),
    ...(mergeCommit && { merge_commit: mergeCommit }),
  };
}

const buildStates = {
  SUCCESSFUL: 'successful',
  FAILED: 'failed',
  INPROGRESS: 'in_progress',
  CANCELLED: 'stopped',
  UNKNOWN: 'unknown',
} as const;

export function showBuild(build: Rest<'RestBuildStatus'>): Build {
  const { key = '', name = key, state = 'UNKNOWN', description, url, updatedDate } = build;
  return {
    key,
    name,
    state: buildStates[state],
    ...(description && { description }),
    ...(url && { url }),
    ...(updatedDate !== undefined && { updated: isoTime(updatedDate) }),
  };
}
