import type { Cloud, CloudPaths } from '../../cloud/cloud-client.ts';
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
import { cloudAccount, cloudDiffstat, cloudPullRequest, pageOf } from './show-world.ts';

const base = '/repositories/{workspace}/{repo_slug}/pullrequests';
const one = `${base}/{pull_request_id}` as const;

type PathValues = Readonly<Record<string, string>>;

/** Pull requests as Cloud shows them: without versions. */
export function cloudPullRequestRoutes(routes: Routes<CloudPaths>, world: World): void {
  const at = (path: PathValues) => world.repository(path.workspace ?? '', path.repo_slug ?? '');
  const requestAt = (path: PathValues) => {
    const repository = at(path);
    return { repository, request: world.pullRequest(repository, Number(path.pull_request_id)) };
  };
  const people = (given: readonly object[] | undefined) =>
    given?.map((each) => world.user(String((each as { readonly uuid?: string }).uuid)));
  const shownPage = async (
    found: readonly { readonly repository: WorldRepository; readonly request: WorldPullRequest }[],
    url: URL,
  ) => {
    const page = pageOf(found, url, 50);
    const values = await Promise.all(
      page.values.map(({ repository, request }) => cloudPullRequest(repository, request)),
    );
    return { ...page, values };
  };
  routes
    .on('get', base, async ({ path, query, url }) => {
      const repository = at(path);
      const states = query.getAll('state');
      const q = query.get('q') ?? '';
      const wanted = (field: string) => new RegExp(`${field} = "([^"]+)"`).exec(q)?.[1];
      const found = [...repository.pullRequests]
        .reverse()
        .filter(({ state }) => (states.length === 0 ? ['OPEN'] : states).includes(state))
        .filter(({ author }) => (wanted('author.uuid') ?? author.uuid) === author.uuid)
        .filter(({ target }) => (wanted('destination.branch.name') ?? target) === target)
        .filter(({ reviewers }) => {
          const uuid = wanted('reviewers.uuid');
          return uuid === undefined || reviewers.some(({ user }) => user.uuid === uuid);
        });
      return await shownPage(
        found.map((request) => ({ repository, request })),
        url,
      );
    })
    .on('post', base, async ({ path, body, user }) => {
      const repository = at(path);
      const given = body as Cloud<'pullrequest'>;
      const [owner, slug] = given.source?.repository?.full_name?.split('/') ?? [];
      const from = owner && slug ? world.repository(owner, slug) : repository;
      const made = await openPullRequest(world, repository, {
        author: person(user),
        title: given.title ?? '',
        description: given.description as string | undefined,
        from: { repository: from, branch: given.source?.branch?.name ?? '' },
        target: given.destination?.branch?.name ?? 'main',
        reviewers: people(given.reviewers) ?? [],
        isDraft: given.draft ?? false,
      });
      return await cloudPullRequest(repository, made);
    })
    .on('get', one, async ({ path }) => {
      const { repository, request } = requestAt(path);
      return await cloudPullRequest(repository, request);
    })
    .on('put', one, async ({ path, body, user }) => {
      const { repository, request } = requestAt(path);
      const given = body as Cloud<'pullrequest'>;
      const target = given.destination?.branch?.name;
      changePullRequest(world, request, person(user), {
        ...(given.title !== undefined && { title: given.title }),
        ...(given.description !== undefined && { description: String(given.description) }),
        ...(target !== undefined && { target }),
        ...(given.draft !== undefined && { isDraft: given.draft }),
        reviewers: people(given.reviewers),
      });
      return await cloudPullRequest(repository, request);
    })
    .onUndescribed('get', `${one}/diff`, async ({ path, query, url }: Asked<never>) => {
      const { repository, request } = requestAt(path);
      const { head, target } = await endsOf(repository, request);
      // The real one sends to the diff of its commits.
      const to = new URL(url);
      const { owner, slug } = request.from.repository;
      const spec = `${owner}/${slug}:${head}%0D${target}`;
      to.pathname = url.pathname.replace(/\/pullrequests\/.*/, `/diff/${spec}`);
      const file = query.get('path');
      to.search = file === null ? '' : `?path=${encodeURIComponent(file)}`;
      return new Raw(302, '', { location: `${to.pathname}${to.search}` });
    })
    .onUndescribed('get', `${one}/diffstat`, async ({ path, url }: Asked<never>) => {
      const { repository, request } = requestAt(path);
      const ends = await endsOf(repository, request);
      return pageOf((await repository.git.changes(ends.base, ends.head)).map(cloudDiffstat), url);
    })
    .onUndescribed('get', `${one}/activity`, ({ path, url }: Asked<never>) => {
      const { request } = requestAt(path);
      return pageOf(
        request.activities.map(({ action, user, at: time }) =>
          action === 'COMMENTED'
            ? { comment: { user: cloudAccount(user) } }
            : action === 'APPROVED'
              ? { approval: { user: cloudAccount(user) } }
              : {
                  update: {
                    author: cloudAccount(user),
                    date: new Date(time).toISOString(),
                    state: action === 'OPENED' || action === 'UPDATED' ? 'OPEN' : action,
                  },
                },
        ),
        url,
      );
    })
    .onUndescribed('post', `${one}/approve`, ({ path, user }: Asked<never>) => {
      reviewPullRequest(world, requestAt(path).request, person(user), 'APPROVED');
      return { type: 'participant', approved: true, state: 'approved' };
    })
    .onUndescribed('delete', `${one}/approve`, ({ path, user }: Asked<never>) =>
      withdraw(world, requestAt(path).request, person(user), 'APPROVED'),
    )
    .onUndescribed('post', `${one}/request-changes`, ({ path, user }: Asked<never>) => {
      reviewPullRequest(world, requestAt(path).request, person(user), 'NEEDS_WORK');
      return { type: 'participant', approved: false, state: 'changes_requested' };
    })
    .onUndescribed('delete', `${one}/request-changes`, ({ path, user }: Asked<never>) =>
      withdraw(world, requestAt(path).request, person(user), 'NEEDS_WORK'),
    )
    .on('post', `${one}/merge`, async ({ path, body, user }) => {
      const { repository, request } = requestAt(path);
      await mergePullRequest(world, repository, request, person(user), body?.message);
      const shown = await cloudPullRequest(repository, request);
      return new Raw(200, JSON.stringify(shown), { 'content-type': 'application/json' });
    })
    .on('post', `${one}/decline`, async ({ path, user }) => {
      const { repository, request } = requestAt(path);
      declinePullRequest(world, request, person(user));
      const shown = await cloudPullRequest(repository, request);
      return new Raw(200, JSON.stringify(shown), { 'content-type': 'application/json' });
    })
    .on('get', '/workspaces/{workspace}/pullrequests/{selected_user}', async ({ path, url }) => {
      const user = world.user(path.selected_user ?? '');
      const found = world.repositories
        .filter(({ owner }) => owner === path.workspace)
        .flatMap((repository) =>
          repository.pullRequests
            .filter(({ author, state }) => author === user && state === 'OPEN')
            .map((request) => ({ repository, request })),
        );
      return await shownPage(found, url);
    })
    .on(
      'get',
      '/repositories/{workspace}/{repo_slug}/effective-default-reviewers',
      ({ path, url }) =>
        pageOf(
          at(path).defaultReviewers.map(
            (user) =>
              ({
                type: 'default_reviewer',
                user: cloudAccount(user),
              }) as unknown as Cloud<'default_reviewer_and_type'>,
          ),
          url,
        ),
    );
}

function withdraw(
  world: World,
  request: WorldPullRequest,
  user: WorldUser,
  status: 'APPROVED' | 'NEEDS_WORK',
): undefined {
  if (!request.reviewers.some((each) => each.user === user && each.status === status)) {
    throw new Refusal(404, 'There is no such review.');
  }
  reviewPullRequest(world, request, user, 'UNAPPROVED');
}

function person(user: WorldUser | undefined): WorldUser {
  if (user === undefined) throw new Refusal(403, 'This token may not do this.');
  return user;
}
