import { collectPages, McpError, ServiceError } from '@errand/server-kit';
import type { PageRequest, PullRequestName, PullRequests } from '../api/bitbucket-api.ts';
import type { PullRequest, User } from '../api/model.ts';
import { plainText } from '../api/typed-client.ts';
import type { Cloud, CloudClient } from './cloud-client.ts';
import { isoTime, showChange, showPullRequest, showRepository, showUser } from './cloud-model.ts';
import { listPages } from './cloud-pages.ts';
import { addressOf, quoted } from './cloud-repositories.ts';

const base = '/repositories/{workspace}/{repo_slug}/pullrequests';
const one = `${base}/{pull_request_id}` as const;

/** The parameters of an address for a pull request. */
export function requestAddress(name: PullRequestName) {
  return { ...addressOf(name), pull_request_id: name.id } as const;
}

const states = {
  open: ['OPEN'],
  merged: ['MERGED'],
  declined: ['DECLINED'],
  all: ['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED'],
} as const;

/** Lists of pull requests have at most so many in a page. */
const largestPage = 50;

/** Repositories that are asked for one page of the inbox. */
const repositoriesAtOnce = 10;

/** Pull requests of Cloud. */
export function cloudPullRequests(
  client: CloudClient,
  me: (signal: AbortSignal) => Promise<User>,
): PullRequests {
  const body = (request: object) => ({ type: 'pullrequest', ...request }) as Cloud<'pullrequest'>;
  const withdraw = async (name: PullRequestName, signal: AbortSignal) => {
    const path = requestAddress(name);
    for (const kind of ['approve', 'request-changes'] as const) {
      try {
        await client.ask('delete', `${one}/${kind}`, { path, signal, repeatable: true });
      } catch (error) {
        // There was none to take back.
        if (!(error instanceof ServiceError && /not_found|invalid/.test(error.kind))) throw error;
      }
    }
  };
  const api: PullRequests = {
    list(name, query, page) {
      const { signal } = page;
      const filters = [
        ...(query.author ? [`author.uuid = ${quoted(query.author)}`] : []),
        ...(query.reviewer ? [`reviewers.uuid = ${quoted(query.reviewer)}`] : []),
        ...(query.target ? [`destination.branch.name = ${quoted(query.target)}`] : []),
      ];
      return listPages(
        page,
        ['pull requests', name, query],
        {
          state: states[query.state],
          sort: '-updated_on',
          ...(filters.length > 0 && { q: filters.join(' AND ') }),
        },
        (at) => client.ask('get', base, { path: addressOf(name), query: at, signal }),
        showPullRequest,
        largestPage,
      );
    },
    async get(name, signal) {
      return showPullRequest(await client.ask('get', one, { path: requestAddress(name), signal }));
    },
    async diff(name, { path }, signal) {
      const response = await client.fetch('get', `${one}/diff`, {
        path: requestAddress(name),
        query: path ? { path: [path] } : {},
        headers: { accept: 'text/plain' },
        signal,
        deadlineMs: 60_000,
      });
      return plainText(response);
    },
    listChanges(name, page) {
      const { signal } = page;
      return listPages(
        page,
        ['pull request changes', name],
        {},
        async (query) =>
          // The description forgets what this answers with.
          (await client.ask('get', `${one}/diffstat`, {
            path: requestAddress(name),
            query,
            signal,
          })) as { readonly values?: readonly Cloud<'diffstat'>[] } | undefined,
        showChange,
      );
    },
    async lastChange(name, signal) {
      const { values = [] } = (await client.ask('get', `${one}/activity`, {
        path: requestAddress(name),
        query: { pagelen: ['50'] },
        signal,
      })) as unknown as {
        readonly values?: readonly {
          readonly update?: {
            readonly author?: object;
            readonly date?: string;
            readonly state?: string;
          };
        }[];
      };
      const last = values.find(({ update }) => update !== undefined)?.update;
      if (last === undefined) return undefined;
      const action = last.state === undefined || last.state === 'OPEN' ? 'updated' : last.state;
      return {
        by: showUser(last.author).name,
        at: isoTime(last.date),
        action: action.toLowerCase(),
      };
    },
    async create(name, request, signal) {
      const author = await me(signal).catch(() => undefined);
      const added = request.addDefaultReviewers ? await defaultReviewers(client, name, signal) : [];
      const reviewers = [...new Set([...request.reviewers, ...added])];
      const source = request.sourceRepository;
      const made = await client.ask('post', base, {
        path: addressOf(name),
        body: body({
          title: request.title,
          ...(request.description && { description: request.description }),
          source: {
            branch: { name: request.source },
            ...(source && { repository: { full_name: `${source.owner}/${source.slug}` } }),
          },
          destination: { branch: { name: request.target } },
          reviewers: reviewers.filter((id) => id !== author?.id).map(personOf),
          ...(request.draft && { draft: true }),
        }),
        signal,
      });
      return showPullRequest(made);
    },
    async update(current, name, change, signal) {
      const changed = await client.ask('put', one, {
        path: requestAddress(name),
        body: body({
          title: change.title ?? current.title,
          description: change.description ?? current.description ?? '',
          reviewers: (change.reviewers ?? current.reviewers.map(({ id }) => id)).map(personOf),
          ...(change.target && { destination: { branch: { name: change.target } } }),
          ...(change.draft !== undefined && { draft: change.draft }),
        }),
        signal,
      });
      return showPullRequest(changed);
    },
    async review(name, review, signal) {
      if (review === 'withdraw') return await withdraw(name, signal);
      const kind = review === 'approve' ? 'approve' : 'request-changes';
      await client.ask('post', `${one}/${kind}`, {
        path: requestAddress(name),
        signal,
        // The same review again changes nothing.
        repeatable: true,
      });
    },
    // Cloud tells what is in the way only when it refuses.
    vetoes: async () => [],
    async merge(name, { strategy, message, closeSourceBranch }, signal) {
      await client.ask('post', `${one}/merge`, {
        path: requestAddress(name),
        body: {
          type: 'pullrequest',
          ...(message !== undefined && { message }),
          ...(strategy !== undefined && { merge_strategy: strategy }),
          ...(closeSourceBranch !== undefined && { close_source_branch: closeSourceBranch }),
        },
        signal,
      });
    },
    async decline(name, _version, signal) {
      await client.ask('post', `${one}/decline`, { path: requestAddress(name), signal });
    },
    async listInbox(role, workspace, page) {
      const { signal } = page;
      const { id } = await me(signal);
      if (workspace === undefined) {
        throw new McpError(
          'invalid_input',
          'Name the workspace: Cloud has no inbox over all of them.',
        );
      }
      if (role === 'reviewer') return await reviewing(api, client, { workspace, id }, page);
      return await listPages(
        page,
        ['inbox', workspace],
        { state: 'OPEN' },
        (query) =>
          client.ask('get', '/workspaces/{workspace}/pullrequests/{selected_user}', {
            path: { workspace, selected_user: id },
            query,
            signal,
          }),
        showPullRequest,
        largestPage,
      );
    },
  };
  return api;
}

/** What waits for a person's review: Cloud can only be asked repository by repository. */
async function reviewing(
  api: PullRequests,
  client: CloudClient,
  { workspace, id }: { readonly workspace: string; readonly id: string },
  { limit, cursor, signal }: PageRequest,
) {
  return await collectPages<PullRequest>({
    limit,
    cursor,
    query: ['reviewing', workspace, id],
    async fetchPage(position) {
      const number = position !== undefined && 'start' in position ? position.start : 1;
      const { values = [], next } = await client.ask('get', '/repositories/{workspace}', {
        path: { workspace },
        query: {
          sort: ['-updated_on'],
          pagelen: [String(repositoriesAtOnce)],
          page: [String(number)],
        },
        signal,
      });
      const found = await Promise.all(
        values.map(async (repository) => {
          const [owner = '', slug = ''] = showRepository(repository).repository.split('/');
          const query = { state: 'open', reviewer: id } as const;
          return (await api.list({ owner, slug }, query, { limit: 200, signal })).items;
        }),
      );
      return { items: found.flat(), ...(next && { next: { start: number + 1 } }) };
    },
  });
}

async function defaultReviewers(
  client: CloudClient,
  name: Parameters<PullRequests['create']>[0],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { items } = await listPages(
    { limit: 200, signal },
    ['default reviewers'],
    {},
    (query) =>
      client.ask('get', '/repositories/{workspace}/{repo_slug}/effective-default-reviewers', {
        path: addressOf(name),
        query,
        signal,
      }),
    ({ user }) => showUser(user).id,
  );
  return items;
}

/** A person by the id that our answers give, or by the account id that Atlassian shows. */
function personOf(id: string) {
  return { type: 'user', ...(id.startsWith('{') ? { uuid: id } : { account_id: id }) };
}
