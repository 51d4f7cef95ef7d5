import type { DataCenterPaths } from '../../data-center/data-center-client.ts';
import {
  changePullRequest,
  declinePullRequest,
  endsOf,
  mergePullRequest,
  openPullRequest,
  reviewPullRequest,
} from '../double/change-world.ts';
import { type Asked, Raw, type Routes } from '../double/routes.ts';
import {
  Refusal,
  type World,
  type WorldPullRequest,
  type WorldRepository,
  type WorldUser,
} from '../double/world.ts';
import { pageOf, restChange, restPullRequest, restUser } from './show-world.ts';
import { restDiffs } from './source-routes.ts';

const base = '/api/latest/projects/{projectKey}/repos/{repositorySlug}/pull-requests';
const one = `${base}/{pullRequestId}` as const;

type PathValues = Readonly<Record<string, string>>;

/** Pull requests as Data Center shows them; changes need the current version. */
export function pullRequestRoutes(routes: Routes<DataCenterPaths>, world: World): void {
  const at = (path: PathValues) =>
    world.repository(path.projectKey ?? '', path.repositorySlug ?? '');
  const requestAt = (path: PathValues) => {
    const repository = at(path);
    return {
      repository,
      request: world.pullRequest(repository, Number(path.pullRequestId)),
    };
  };
  const show = (repository: WorldRepository, requests: readonly WorldPullRequest[]) =>
    Promise.all(requests.map((request) => restPullRequest(repository, request)));
  routes
    .onUndescribed('get', `${base}/{pullRequestId}.diff`, async ({ path }: Asked<never>) => {
      const { repository, request } = requestAt(path);
      const ends = await endsOf(repository, request);
      const diff = await repository.git.diff(ends.base, ends.head);
      return new Raw(200, diff, { 'content-type': 'text/plain' });
    })
    .on('get', base, async ({ path, query }) => {
      const repository = at(path);
      const wanted = query.get('state') ?? 'OPEN';
      const target = query.get('at')?.replace('refs/heads/', '');
      const roles = [1, 2].map(
        (n) => [query.get(`role.${n}`), query.get(`username.${n}`)] as const,
      );
      const found = [...repository.pullRequests]
        .reverse()
        .filter(({ state }) => wanted === 'ALL' || state === wanted)
        .filter((each) => target === undefined || each.target === target)
        .filter((each) => roles.every(([role, name]) => hasRole(each, role, name)));
      const page = pageOf(found, query);
      return { ...page, values: await show(repository, page.values) };
    })
    .on('post', base, async ({ path, body, user }) => {
      const repository = at(path);
      const { fromRef, toRef, title = '', description, reviewers = [], draft } = body ?? {};
      const source = fromRef?.repository;
      const from = source
        ? world.repository(source.project?.key ?? '', source.slug ?? '')
        : repository;
      const made = await openPullRequest(world, repository, {
        author: person(user),
        title,
        description,
        from: { repository: from, branch: branchOf(fromRef?.id) },
        target: branchOf(toRef?.id),
        reviewers: reviewers.map((each) => world.userNamed(each.user?.name ?? '')),
        isDraft: draft ?? false,
      });
      return await restPullRequest(repository, made);
    })
    .on('get', one, async ({ path }) => {
      const { repository, request } = requestAt(path);
      return await restPullRequest(repository, request);
    })
    .on('put', one, async ({ path, body, user }) => {
      const { repository, request } = requestAt(path);
      checkVersion(request, body?.version);
      changePullRequest(world, request, person(user), {
        ...(body?.title !== undefined && { title: body.title }),
        ...(body?.description !== undefined && { description: body.description }),
        ...(body?.toRef !== undefined && { target: branchOf(body.toRef.id) }),
        ...(body?.draft !== undefined && { isDraft: body.draft }),
        // Without them they are removed, as the real one does.
        reviewers: (body?.reviewers ?? []).map((each) => world.userNamed(each.user?.name ?? '')),
      });
      return await restPullRequest(repository, request);
    })
    .onUndescribed('get', `${one}/changes`, async ({ path, query }: Asked<never>) => {
      const { repository, request } = requestAt(path);
      const ends = await endsOf(repository, request);
      return pageOf((await repository.git.changes(ends.base, ends.head)).map(restChange), query);
    })
    .onUndescribed('get', `${one}/diff/{path}`, async ({ path }: Asked<never>) => {
      const { repository, request } = requestAt(path);
      const ends = await endsOf(repository, request);
      return { diffs: restDiffs(await repository.git.diff(ends.base, ends.head, path.path)) };
    })
    .on('put', `${one}/participants/{userSlug}`, ({ path, body }) => {
      const { request } = requestAt(path);
      const user = world.user(path.userSlug ?? '');
      const status = body?.status ?? ('UNAPPROVED' as const);
      reviewPullRequest(world, request, user, status);
      return { user: restUser(user), status, approved: status === 'APPROVED' };
    })
    .on('get', `${one}/merge`, ({ path }) => {
      const { repository } = requestAt(path);
      return {
        conflicted: false,
        outcome: 'CLEAN' as const,
        vetoes: repository.vetoes.map((detailedMessage) => ({
          detailedMessage,
          summaryMessage: 'Not all checks have passed.',
        })),
      };
    })
    .on('post', `${one}/merge`, async ({ path, query, body, user }) => {
      const { repository, request } = requestAt(path);
      checkVersion(request, query.get('version'));
      await mergePullRequest(world, repository, request, person(user), body?.message);
      return await restPullRequest(repository, request);
    })
    .on('post', `${one}/decline`, async ({ path, query, user }) => {
      const { repository, request } = requestAt(path);
      checkVersion(request, query.get('version'));
      declinePullRequest(world, request, person(user));
      return await restPullRequest(repository, request);
    })
    .on('get', '/api/latest/dashboard/pull-requests', async ({ query, user }) => {
      const { name } = person(user);
      const all = world.repositories.flatMap((repository) =>
        repository.pullRequests
          .filter((each) => each.state === 'OPEN' && hasRole(each, query.get('role'), name))
          .map((request) => ({ repository, request })),
      );
      const page = pageOf(all, query);
      const values = await Promise.all(
        page.values.map(({ repository, request }) => restPullRequest(repository, request)),
      );
      return { ...page, values };
    })
    .onUndescribed(
      'get',
      '/default-reviewers/latest/projects/{projectKey}/repos/{repositorySlug}/reviewers',
      ({ path }: Asked<never>) => at(path).defaultReviewers.map(restUser),
    )
    .on('get', '/build-status/latest/commits/{commitId}', ({ path, query }) => {
      const builds = world.repositories.flatMap(
        ({ builds: all }) => all.get(path.commitId ?? '') ?? [],
      );
      return pageOf(
        builds.map((build) => ({ ...build, updatedDate: 1_760_000_000_000 })),
        query,
      );
    });
}

function hasRole(request: WorldPullRequest, role: string | null, name: string | null): boolean {
  if (role === null) return true;
  if (role === 'AUTHOR') return request.author.name === name;
  return request.reviewers.some(({ user }) => user.name === name);
}

function branchOf(id: string | undefined): string {
  return (id ?? '').replace('refs/heads/', '');
}

function person(user: WorldUser | undefined): WorldUser {
  if (user === undefined) throw new Refusal(403, 'This token may not do this.');
  return user;
}

function checkVersion(request: WorldPullRequest, given: unknown): void {
  if (Number(given) === request.version && given !== null && given !== undefined) return;
  throw new Refusal(
    409,
    `You are attempting to modify a pull request based on out-of-date information. (expected ${request.version})`,
  );
}
