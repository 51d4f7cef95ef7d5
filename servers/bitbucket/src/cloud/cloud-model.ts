import { createHash } from 'node:crypto';
import type {
  Branch,
  Build,
  Change,
  Commit,
  Entry,
  Project,
  PullRequest,
  Repository,
  User,
} from '../api/model.ts';
import type { Cloud } from './cloud-client.ts';

/** What Cloud answers about a person but its description leaves out. */
interface Person {
  readonly uuid?: string;
  readonly display_name?: string;
  readonly nickname?: string;
}

export function showUser(account: object | undefined): User {
  const { uuid = '', display_name, nickname } = (account ?? {}) as Person;
  return { id: uuid, name: display_name ?? nickname ?? uuid };
}

export function showProject(project: Cloud<'project'>, workspace: string): Project {
  const { key = '', name = key, description, is_private } = project;
  return {
    key: `${workspace}/${key}`,
    name,
    ...(description && { description }),
    ...(is_private !== undefined && { is_private }),
  };
}

export function showRepository(repository: Cloud<'repository'>): Repository {
  const { full_name = '', name = full_name, description, mainbranch, parent } = repository;
  const url = repository.links?.html?.href;
  return {
    repository: full_name,
    name,
    ...(description && { description }),
    ...(mainbranch?.name && { default_branch: mainbranch.name }),
    is_private: repository.is_private === true,
    ...(parent?.full_name && { fork_of: parent.full_name }),
    ...(url && { url }),
  };
}

export function showBranch(branch: Cloud<'branch'>, defaultBranch?: string): Branch {
  const { name = '', target } = branch;
  return {
    name,
    commit: String(target?.hash ?? ''),
    ...(name === defaultBranch && { is_default: true }),
  };
}

/** A commit with the fields that both generated types of the contract have. */
type CommitFacts = Pick<Cloud<'base_commit'>, 'author' | 'date' | 'hash' | 'message' | 'parents'>;

export function showCommit(given: object): Commit {
  const { hash = '', message = '', author, date = '', parents = [] } = given as CommitFacts;
  const named = (author?.user as Person | undefined)?.display_name;
  return {
    id: hash,
    message,
    author: named ?? (author?.raw ?? '').replace(/ <.*>$/, ''),
    date: isoTime(date),
    parents: parents.map(({ hash: parent = '' }) => parent),
  };
}

/** One spelling of times for both editions. */
export function isoTime(text: string | undefined): string {
  const time = new Date(text ?? 0);
  return Number.isNaN(time.getTime()) ? String(text) : time.toISOString();
}

const changeTypes = {
  added: 'added',
  modified: 'modified',
  removed: 'deleted',
  renamed: 'renamed',
} as const;

export function showChange(stat: Cloud<'diffstat'>): Change {
  const { status = 'modified', lines_added, lines_removed } = stat;
  const newPath = stat.new?.path;
  const oldPath = stat.old?.path;
  const path = newPath ?? oldPath ?? '';
  return {
    path,
    // Files that conflict are told with states of their own.
    type: changeTypes[status] ?? 'modified',
    ...(oldPath !== undefined && oldPath !== path && { old_path: oldPath }),
    ...(lines_added !== undefined && { lines_added }),
    ...(lines_removed !== undefined && { lines_removed }),
  };
}

export function showEntry(entry: Cloud<'treeentry'>): Entry {
  const { path = '', type } = entry;
  const { size, attributes } = entry as { readonly size?: number; readonly attributes?: unknown };
  const isModule = JSON.stringify(attributes ?? '').includes('subrepository');
  return {
    path,
    type: type === 'commit_directory' ? 'directory' : isModule ? 'submodule' : 'file',
    ...(size !== undefined && type !== 'commit_directory' && { size }),
  };
}

const states = {
  OPEN: 'open',
  MERGED: 'merged',
  DECLINED: 'declined',
  SUPERSEDED: 'superseded',
  DRAFT: 'open',
  QUEUED: 'open',
} as const;

export function showPullRequest(request: Cloud<'pullrequest'>): PullRequest {
  const { id = 0, title = '', state = 'OPEN', source, destination, draft } = request;
  const repository = destination?.repository?.full_name ?? '';
  const from = source?.repository?.full_name ?? repository;
  const description = request.summary?.raw ?? (request.description as string | undefined);
  const reviews = new Map(
    (request.participants ?? []).map((each) => [showUser(each.user).id, each.state] as const),
  );
  const shown = {
    repository,
    id,
    title,
    state: states[state],
    ...(draft && { draft }),
    author: showUser(request.author),
    source: {
      branch: source?.branch?.name ?? '',
      ...(source?.commit?.hash && { commit: source.commit.hash }),
      ...(from !== repository && { repository: from }),
    },
    target: {
      branch: destination?.branch?.name ?? '',
      ...(destination?.commit?.hash && { commit: destination.commit.hash }),
    },
    reviewers: (request.reviewers ?? []).map((reviewer) => {
      const person = showUser(reviewer);
      return { ...person, review: reviewOf(reviews.get(person.id)) };
    }),
    created: isoTime(request.created_on),
    updated: isoTime(request.updated_on),
    ...(request.links?.html?.href && { url: request.links.html.href }),
    ...(description && { description }),
    ...(request.merge_commit?.hash && { merge_commit: request.merge_commit.hash }),
  };
  const { title: _, ...rest } = shown;
  const content = [
    title,
    description,
    rest.state,
    draft === true,
    rest.source,
    rest.target.branch,
    rest.reviewers.map(({ id: reviewer }) => reviewer),
  ];
  return { ...shown, version: contentVersion(content) };
}

function reviewOf(state: unknown): 'approved' | 'needs_work' | 'none' {
  return state === 'approved' ? 'approved' : state === 'changes_requested' ? 'needs_work' : 'none';
}

/** Cloud counts no versions, so what a thing says is its version. */
export function contentVersion(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 10);
}

const buildStates = {
  SUCCESSFUL: 'successful',
  FAILED: 'failed',
  INPROGRESS: 'in_progress',
  STOPPED: 'stopped',
} as const;

export function showBuild(status: Cloud<'commitstatus'>): Build {
  const { key = '', name = key, state, description, url, updated_on } = status;
  return {
    key,
    name,
    state: state === undefined ? 'unknown' : buildStates[state],
    ...(description && { description }),
    ...(url && { url }),
    ...(updated_on && { updated: isoTime(updated_on) }),
  };
}
