import { collectPages } from '@errand/server-kit';
import type { Comments, NewComment, PullRequestName } from '../api/bitbucket-api.ts';
import type { Thread } from '../api/model.ts';
import type { Cloud, CloudClient } from './cloud-client.ts';
import { contentVersion, isoTime, showUser } from './cloud-model.ts';
import { listPages } from './cloud-pages.ts';
import { requestAddress } from './cloud-pull-requests.ts';

const all = '/repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/comments';
const one = `${all}/{comment_id}` as const;

type Contract = Cloud<'pullrequest_comment'>;

/** A comment with the fields that the generated type of the contract loses. */
type CloudComment = Omit<Cloud<'comment'>, 'type'> &
  Pick<
    Cloud<'comment'>,
    'content' | 'created_on' | 'deleted' | 'id' | 'inline' | 'parent' | 'user'
  > & {
    readonly pending?: boolean;
    readonly resolution?: unknown;
  };

/** How many comments of a pull request are read at most. */
const most = 10_000;

/** How long the threads of a pull request are kept for the next page, in milliseconds. */
const keptFor = 60_000;

/** Comments of Cloud, which come as one list and are put together to threads here. */
export function cloudComments(client: CloudClient): Comments {
  let last: { readonly key: string; readonly at: number; readonly threads: Thread[] } | undefined;
  const read = async (name: PullRequestName, signal: AbortSignal): Promise<Thread[]> => {
    const { items } = await collectAll(client, name, signal);
    return threadsOf(items);
  };
  const address = (name: PullRequestName, id: number) => ({
    ...requestAddress(name),
    comment_id: id,
  });
  return {
    async list(name, { limit, cursor, signal }) {
      const key = JSON.stringify(name);
      const isKept = cursor !== undefined && last?.key === key && Date.now() - last.at < keptFor;
      const threads = isKept && last ? last.threads : await read(name, signal);
      last = { key, at: Date.now(), threads };
      return await collectPages<Thread>({
        limit,
        cursor,
        query: ['comments', name],
        async fetchPage(position, wanted) {
          const start = position !== undefined && 'start' in position ? position.start : 0;
          const end = start + wanted;
          const items = threads.slice(start, end);
          return { items, ...(end < threads.length && { next: { start: end } }) };
        },
      });
    },
    async get(name, id, signal) {
      const found = await client.ask('get', one, { path: address(name, id), signal });
      return showThread(found as CloudComment);
    },
    async add(name, comment, signal) {
      const made = await client.ask('post', all, {
        path: requestAddress(name),
        body: newComment(comment),
        signal,
      });
      return showThread(made as CloudComment);
    },
    async update(name, current, text, signal) {
      const changed = await client.ask('put', one, {
        path: address(name, current.id),
        body: { type: 'pullrequest_comment', content: { raw: text } } as Contract,
        signal,
      });
      return showThread(changed as CloudComment);
    },
    async resolve(name, current, resolved, signal) {
      const method = resolved ? 'post' : 'delete';
      const path = address(name, current.id);
      await client.ask(method, `${one}/resolve`, { path, signal });
    },
    async remove(name, current, signal) {
      await client.ask('delete', one, { path: address(name, current.id), signal });
    },
  };
}

function collectAll(client: CloudClient, name: PullRequestName, signal: AbortSignal) {
  return listPages<Contract, CloudComment>(
    { limit: most, signal },
    ['all comments', name],
    { sort: 'created_on' },
    (query) => client.ask('get', all, { path: requestAddress(name), query, signal }),
    (comment) => comment as CloudComment,
    100,
    most / 100,
  );
}

function newComment({ text, inline, parent, pending }: NewComment): Contract {
  return {
    type: 'pullrequest_comment',
    content: { raw: text },
    ...(parent !== undefined && { parent: { id: parent } }),
    ...(pending && { pending: true }),
    ...(inline && {
      inline: {
        path: inline.path,
        ...(inline.side === 'new' ? { to: inline.line } : { from: inline.line }),
      },
    }),
  } as Contract;
}

/** Threads in the order in which they began; a reply to a reply belongs to the thread of both. */
function threadsOf(comments: readonly CloudComment[]): Thread[] {
  const threads = new Map<number, Thread>();
  const rootOf = new Map<number, number>();
  for (const comment of comments) {
    const shown = showThread(comment);
    const parent = comment.parent?.id;
    const root = parent === undefined ? undefined : (rootOf.get(parent) ?? parent);
    const thread = root === undefined ? undefined : threads.get(root);
    if (root === undefined || thread === undefined) {
      threads.set(shown.id, shown);
      rootOf.set(shown.id, shown.id);
    } else {
      const { inline: _inline, resolved: _resolved, replies: _replies, ...reply } = shown;
      thread.replies.push({ ...reply, ...(parent !== undefined && { parent }) });
      rootOf.set(shown.id, root);
    }
  }
  // A deleted comment is shown only where others have answered it.
  return [...threads.values()].filter(({ deleted, replies }) => !deleted || replies.length > 0);
}

function showThread(comment: CloudComment): Thread {
  const { id = 0, user, content, created_on, inline, resolution, pending, deleted } = comment;
  const text = content?.raw ?? '';
  const line = inline?.to ?? inline?.from;
  return {
    id,
    author: showUser(user),
    text,
    created: isoTime(created_on),
    version: contentVersion([text, deleted === true]),
    ...(pending && { pending }),
    ...(deleted && { deleted }),
    ...(inline?.path && {
      inline: {
        path: inline.path,
        ...(line !== undefined && line !== null && { line }),
        side: (inline.to ?? undefined) === undefined && inline.from ? 'old' : 'new',
      },
    }),
    resolved: resolution !== undefined && resolution !== null,
    replies: [],
  };
}
