import { ServiceError } from '@errand/server-kit';
import type {
  MergeStrategy,
  PullRequestName,
  PullRequests,
  StateFilter,
} from '../api/bitbucket-api.ts';
import { fileSection } from '../api/file-section.ts';
import type { User } from '../api/model.ts';
import { plainText } from '../api/typed-client.ts';
import type { DataCenterClient, Rest } from './data-center-client.ts';
import { isoTime, showChange, showPullRequest, showUser } from './data-center-model.ts';
import { listPages } from './data-center-pages.ts';
import { addressOf } from './data-center-repositories.ts';
import { unifiedDiff } from './unified-diff.ts';

const base = '/api/latest/projects/{projectKey}/repos/{repositorySlug}/pull-requests';
const one = `${base}/{pullRequestId}` as const;

/** The parameters of an address for a pull request. */
export function requestAddress(name: PullRequestName) {
  return { ...addressOf(name), pullRequestId: String(name.id) } as const;
}

const strategies: Readonly<Record<MergeStrategy, string>> = {
  merge_commit: 'no-ff',
  squash: 'squash',
  fast_forward: 'ff-only',
  squash_fast_forward: 'squash-ff-only',
  rebase_merge: 'rebase-no-ff',
  rebase_fast_forward: 'rebase-ff-only',
};

/** Pull requests of Data Center. */
export function dataCenterPullRequests(
  client: DataCenterClient,
  myself: (signal: AbortSignal) => Promise<{ readonly user: User; readonly slug: string }>,
): PullRequests {
  return {
    list(name, query, page) {
      const { signal } = page;
      return listPages(
        page,
        ['pull requests', name, query],
        ({ start, limit }) =>
          client.ask('get', base, {
            path: addressOf(name),
            query: {
              start: [String(start)],
              limit: [String(limit)],
              ...participants(query.author, query.reviewer),
              state: [stateText(query.state)],
              order: ['NEWEST'],
              ...(query.target && {
                at: [`refs/heads/${query.target}`],
                direction: ['INCOMING'],
              }),
            },
            signal,
          }),
        showPullRequest,
      );
    },
    async get(name, signal) {
      return showPullRequest(await client.ask('get', one, { path: requestAddress(name), signal }));
    },
    async diff(name, { path }, signal) {
      const address = requestAddress(name);
      try {
        const raw = await client.fetch('get', `${base}/{pullRequestId}.diff`, {
          path: address,
          headers: { accept: 'text/plain' },
          signal,
          deadlineMs: 60_000,
        });
        const diff = plainText(raw);
        return path === undefined ? diff : fileSection(diff, path);
      } catch (error) {
        const isLarge = error instanceof ServiceError && error.kind === 'too_large';
        if (!isLarge || path === undefined) throw error;
      }
      const answer = (await client.ask('get', `${one}/diff/{path}`, {
        path: { ...address, path },
        signal,
      })) as { readonly diffs?: readonly Rest<'RestDiff'>[] };
      return unifiedDiff(answer.diffs ?? []);
    },
    listChanges(name, page) {
      const { signal } = page;
      return listPages(
        page,
        ['pull request changes', name],
        async ({ start, limit }) =>
          // The description says that this is one change.
          (await client.ask('get', `${one}/changes`, {
            path: requestAddress(name),
            query: { start: [String(start)], limit: [String(limit)] },
            signal,
          })) as { readonly values?: readonly Rest<'RestChange'>[] },
        showChange,
      );
    },
    async lastChange(name, signal) {
      const { values = [] } = await client.ask('get', `${one}/activities`, {
        path: requestAddress(name),
        query: { limit: ['25'] },
        signal,
      });
      const last = values.find(({ action = 'COMMENTED' }) => !/COMMENT|REVIEW/.test(action));
      if (last === undefined) return undefined;
      const { action = 'UPDATED', createdDate, user } = last;
      return { by: showUser(user).name, at: isoTime(createdDate), action: action.toLowerCase() };
    },
    async create(name, request, signal) {
      const path = addressOf(name);
      const source = request.sourceRepository ?? name;
      const added = request.addDefaultReviewers
        ? await defaultReviewers(client, name, request, signal)
        : [];
      const author = await myself(signal).catch(() => undefined);
      const reviewers = [...new Set([...request.reviewers, ...added])].filter(
        (reviewer) => reviewer !== author?.user.id,
      );
      const refIn = (branch: string, repository: typeof source) => ({
        id: `refs/heads/${branch}`,
        repository: { slug: repository.slug, project: { key: repository.owner } },
      });
      return showPullRequest(
        await client.ask('post', base, {
          path,
          body: {
            title: request.title,
            ...(request.description && { description: request.description }),
            fromRef: refIn(request.source, source),
            toRef: refIn(request.target, name),
            reviewers: reviewers.map((reviewer) => ({ user: { name: reviewer } })),
            ...(request.draft && { draft: true }),
          },
          signal,
        }),
      );
    },
    async update(current, name, change, signal) {
      const reviewers = change.reviewers ?? current.reviewers.map(({ id }) => id);
      const target = change.target ?? current.target.branch;
      return showPullRequest(
        await client.ask('put', one, {
          path: requestAddress(name),
          body: {
            version: Number(current.version),
            title: change.title ?? current.title,
            description: change.description ?? current.description ?? '',
            reviewers: reviewers.map((reviewer) => ({ user: { name: reviewer } })),
            toRef: {
              id: `refs/heads/${target}`,
              repository: { slug: name.slug, project: { key: name.owner } },
            },
            ...(change.draft !== undefined && { draft: change.draft }),
          },
          signal,
        }),
      );
    },
    async review(name, review, signal) {
      const status = { approve: 'APPROVED', needs_work: 'NEEDS_WORK', withdraw: 'UNAPPROVED' };
      await client.ask('put', `${one}/participants/{userSlug}`, {
        path: { ...requestAddress(name), userSlug: (await myself(signal)).slug },
        body: { status: status[review] as 'APPROVED' },
        signal,
        // The same status again changes nothing.
        repeatable: true,
      });
    },
    async vetoes(name, signal) {
      const { vetoes = [], conflicted } = await client.ask('get', `${one}/merge`, {
        path: requestAddress(name),
        signal,
      });
      const sentences = vetoes.map(
        ({ detailedMessage, summaryMessage = '' }) => detailedMessage || summaryMessage,
      );
      return conflicted ? ['The branches conflict.', ...sentences] : sentences;
    },
    async merge(name, { version, strategy, message }, signal) {
      await client.ask('post', `${one}/merge`, {
        path: requestAddress(name),
        query: { version },
        body: {
          ...(message !== undefined && { message }),
          ...(strategy !== undefined && { strategyId: strategies[strategy] }),
        },
        signal,
      });
    },
    async decline(name, version, signal) {
      await client.ask('post', `${one}/decline`, {
        path: requestAddress(name),
        query: { version },
        body: { version: Number(version) },
        signal,
      });
    },
    listInbox(role, _workspace, page) {
      const { signal } = page;
      return listPages(
        page,
        ['inbox', role],
        (at) =>
          client.ask('get', '/api/latest/dashboard/pull-requests', {
            query: { ...at, role: role.toUpperCase(), state: 'OPEN', order: 'NEWEST' },
            signal,
          }),
        showPullRequest,
      );
    },
  };
}

async function defaultReviewers(
  client: DataCenterClient,
  name: Parameters<PullRequests['create']>[0],
  request: Parameters<PullRequests['create']>[1],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const at = '/api/latest/projects/{projectKey}/repos/{repositorySlug}';
  const source = request.sourceRepository ?? name;
  const [from, to] = await Promise.all([
    client.ask('get', at, { path: addressOf(source), signal }),
    client.ask('get', at, { path: addressOf(name), signal }),
  ]);
  const found = (await client.ask(
    'get',
    '/default-reviewers/latest/projects/{projectKey}/repos/{repositorySlug}/reviewers',
    {
      path: addressOf(name),
      query: {
        sourceRepoId: [String(from.id)],
        targetRepoId: [String(to.id)],
        sourceRefId: [`refs/heads/${request.source}`],
        targetRefId: [`refs/heads/${request.target}`],
      },
      signal,
    },
  )) as unknown;
  const people = (Array.isArray(found) ? found : []) as readonly { readonly name?: string }[];
  return people.flatMap(({ name: person }) => person ?? []);
}

function stateText(state: StateFilter): string {
  return state === 'all' ? 'ALL' : state.toUpperCase();
}

function participants(author: string | undefined, reviewer: string | undefined) {
  const roles = [
    ...(author === undefined ? [] : [['AUTHOR', author] as const]),
    ...(reviewer === undefined ? [] : [['REVIEWER', reviewer] as const]),
  ];
  return Object.fromEntries(
    roles.flatMap(([role, name], index) => [
      [`role.${index + 1}`, [role]],
      [`username.${index + 1}`, [name]],
    ]),
  );
}
