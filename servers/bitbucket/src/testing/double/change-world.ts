import { randomUUID } from 'node:crypto';
import {
  Refusal,
  type World,
  type WorldActivity,
  type WorldComment,
  type WorldPullRequest,
  type WorldRepository,
  type WorldUser,
} from './world.ts';

/** What a new pull request says. */
interface NewRequest {
  readonly author: WorldUser;
  readonly title: string;
  readonly description?: string | undefined;
  readonly from: { readonly repository: WorldRepository; readonly branch: string };
  readonly target: string;
  readonly reviewers?: readonly WorldUser[];
  readonly isDraft?: boolean;
}

export async function openPullRequest(
  world: World,
  repository: WorldRepository,
  request: NewRequest,
): Promise<WorldPullRequest> {
  const { from, target } = request;
  if (repository.isArchived) throw new Refusal(409, 'The repository is archived.');
  if ((await from.repository.git.find(`refs/heads/${from.branch}`)) === undefined) {
    throw new Refusal(404, `Branch ${from.branch} does not exist.`);
  }
  if ((await repository.git.find(`refs/heads/${target}`)) === undefined) {
    throw new Refusal(404, `Branch ${target} does not exist.`);
  }
  const isOpen = repository.pullRequests.some(
    (each) =>
      each.state === 'OPEN' &&
      each.from.repository === from.repository &&
      each.from.branch === from.branch &&
      each.target === target,
  );
  if (isOpen) {
    throw new Refusal(
      409,
      'Only one pull request may be open for a given source and target branch',
    );
  }
  if (request.reviewers?.includes(request.author)) {
    throw new Refusal(400, 'The author of a pull request cannot be its reviewer.');
  }
  const now = Date.now();
  const made: WorldPullRequest = {
    id: repository.pullRequests.length + 1,
    author: request.author,
    from,
    target,
    title: request.title,
    description: request.description ?? '',
    state: 'OPEN',
    isDraft: request.isDraft ?? false,
    reviewers: (request.reviewers ?? []).map((user) => ({ user, status: 'UNAPPROVED' })),
    created: now,
    updated: now,
    version: 0,
    comments: [],
    activities: [],
  };
  repository.pullRequests.push(made);
  happened(world, made, 'OPENED', request.author);
  return made;
}

/** Notes what somebody did; all but comments and reviews make a new version. */
function happened(
  world: World,
  request: WorldPullRequest,
  action: WorldActivity['action'],
  user: WorldUser,
  comment?: WorldComment,
): void {
  request.activities.unshift({
    id: world.nextId(),
    action,
    user,
    at: Date.now(),
    ...(comment && { comment }),
  });
  request.updated = Date.now();
  if (action === 'UPDATED' || action === 'MERGED' || action === 'DECLINED') request.version += 1;
}

export function changePullRequest(
  world: World,
  request: WorldPullRequest,
  user: WorldUser,
  change: Partial<Pick<WorldPullRequest, 'description' | 'isDraft' | 'target' | 'title'>> & {
    readonly reviewers?: readonly WorldUser[] | undefined;
  },
): void {
  if (request.state !== 'OPEN') throw new Refusal(409, 'The pull request is closed.');
  const { reviewers, ...rest } = change;
  Object.assign(request, rest);
  if (reviewers !== undefined) {
    const known = new Map(request.reviewers.map((each) => [each.user, each.status]));
    request.reviewers = reviewers.map((each) => ({
      user: each,
      status: known.get(each) ?? 'UNAPPROVED',
    }));
  }
  happened(world, request, 'UPDATED', user);
}

export function reviewPullRequest(
  world: World,
  request: WorldPullRequest,
  user: WorldUser,
  status: 'APPROVED' | 'NEEDS_WORK' | 'UNAPPROVED',
): void {
  const reviewer = request.reviewers.find((each) => each.user === user);
  if (reviewer === undefined) request.reviewers.push({ user, status });
  else reviewer.status = status;
  happened(world, request, 'APPROVED', user);
}

/** Merges for real; a veto, a conflict or a closed request is refused. */
/** Pull requests that are merged at this moment: the real ones let nobody else do it meanwhile. */
const merging = new WeakSet<WorldPullRequest>();

export async function mergePullRequest(
  world: World,
  repository: WorldRepository,
  request: WorldPullRequest,
  user: WorldUser,
  message?: string,
): Promise<void> {
  if (request.state !== 'OPEN') throw new Refusal(409, 'The pull request is already closed.');
  const open = request.comments.filter(
    ({ isTask, isResolved, isDeleted }) => isTask && !isResolved && !isDeleted,
  );
  if (open.length > 0) throw new Refusal(409, `${open.length} tasks are open.`);
  if (repository.vetoes.length > 0) throw new Refusal(409, repository.vetoes.join(' '));
  const { git } = repository;
  if (merging.has(request)) throw new Refusal(409, 'The pull request is being merged.');
  merging.add(request);
  using _merging = { [Symbol.dispose]: () => void merging.delete(request) };
  if (request.from.repository !== repository) {
    await git.git(['fetch', '--quiet', request.from.repository.git.folder, request.from.branch]);
  }
  const head = await request.from.repository.git.resolve(`refs/heads/${request.from.branch}`);
  const text = message ?? `Merged in ${request.from.branch} (pull request #${request.id})`;
  const merged = await git.merge(request.target, head, text);
  if (merged === undefined) throw new Refusal(409, 'The branches conflict.');
  request.state = 'MERGED';
  request.mergeCommit = merged;
  happened(world, request, 'MERGED', user);
}

export function declinePullRequest(world: World, request: WorldPullRequest, user: WorldUser): void {
  if (request.state !== 'OPEN') throw new Refusal(409, 'The pull request is already closed.');
  request.state = 'DECLINED';
  happened(world, request, 'DECLINED', user);
}

interface NewWorldComment {
  readonly author: WorldUser;
  readonly text: string;
  readonly parent?: number | undefined;
  readonly anchor?: WorldComment['anchor'];
  readonly isTask?: boolean;
  readonly isPending?: boolean;
}

export function addComment(
  world: World,
  request: WorldPullRequest,
  { author, text, parent, anchor, isTask = false, isPending = false }: NewWorldComment,
): WorldComment {
  if (text.trim() === '') throw new Refusal(400, 'A comment needs a text.');
  const to = parent === undefined ? undefined : findComment(request, parent);
  const made: WorldComment = {
    id: world.nextId(),
    author,
    created: Date.now(),
    parent: to,
    anchor,
    isTask,
    text,
    version: 0,
    isResolved: false,
    isPending,
    isDeleted: false,
  };
  request.comments.push(made);
  if (to === undefined) happened(world, request, 'COMMENTED', author, made);
  return made;
}

export function findComment(request: WorldPullRequest, id: number): WorldComment {
  const found = request.comments.find((each) => each.id === id && !each.isDeleted);
  if (found === undefined) throw new Refusal(404, `Comment ${id} does not exist.`);
  return found;
}

/** Both ends of a pull request, as commits of its repository. */
export async function endsOf(repository: WorldRepository, request: WorldPullRequest) {
  const { git } = repository;
  const from = request.from.repository;
  const head =
    (await from.git.find(`refs/heads/${request.from.branch}`)) ?? request.mergeCommit ?? '';
  if (from !== repository) await git.git(['fetch', '--quiet', from.git.folder, head]);
  const into = await git.resolve(`refs/heads/${request.target}`);
  const target =
    request.mergeCommit === undefined ? into : await git.resolve(`${request.mergeCommit}^1`);
  return { head, target, base: await git.mergeBase(target, head) };
}

export function startPipeline(
  repository: WorldRepository,
  branch: string,
  commit: string,
  result: 'SUCCESSFUL' | 'FAILED' | undefined = undefined,
  log = 'building\n',
) {
  const made = {
    uuid: `{${randomUUID()}}`,
    number: repository.pipelines.length + 1,
    branch,
    commit,
    created: Date.now(),
    result,
    steps: [{ uuid: `{${randomUUID()}}`, name: 'Build', log }],
  };
  repository.pipelines.push(made);
  return made;
}
