import type {
  SchemaRestPullRequestActivityCommented as Commented,
  SchemaRestPullRequestActivity,
} from '@coderabbitai/bitbucket/server';
import type { Comments, NewComment } from '../api/bitbucket-api.ts';
import type { Comment, Thread } from '../api/model.ts';
import type { DataCenterClient, Rest } from './data-center-client.ts';
import { isoTime, pathText, showUser } from './data-center-model.ts';
import { listPages } from './data-center-pages.ts';
import { requestAddress } from './data-center-pull-requests.ts';

const one =
  '/api/latest/projects/{projectKey}/repos/{repositorySlug}/pull-requests/{pullRequestId}';
const comment = `${one}/comments/{commentId}` as const;

type RestComment = Rest<'RestComment'>;

/** Comments of Data Center, which are part of what happened to a pull request. */
export function dataCenterComments(client: DataCenterClient): Comments {
  const get: Comments['get'] = async (name, id, signal) =>
    showThread(
      await client.ask('get', comment, {
        path: { ...requestAddress(name), commentId: String(id) },
        signal,
      }),
    );
  const put = (
    name: Parameters<Comments['get']>[0],
    current: Comment,
    change: Partial<RestComment>,
    signal: AbortSignal,
  ) =>
    client.ask('put', comment, {
      path: { ...requestAddress(name), commentId: String(current.id) },
      body: { ...change, version: Number(current.version) },
      signal,
    });
  return {
    list(name, page) {
      const { signal } = page;
      return listPages(
        page,
        ['comments', name],
        ({ start, limit }) =>
          client.ask('get', `${one}/activities`, {
            path: requestAddress(name),
            query: { start: [String(start)], limit: [String(limit)] },
            signal,
          }),
        (activity) => threadOf(activity as SchemaRestPullRequestActivity),
      );
    },
    get,
    async add(name, added, signal) {
      const made = await client.ask('post', `${one}/comments`, {
        path: requestAddress(name),
        body: newComment(added),
        signal,
      });
      return showThread(made);
    },
    async update(name, current, text, signal) {
      return showThread(await put(name, current, { text }, signal));
    },
    async resolve(name, current, resolved, signal) {
      await put(name, current, { threadResolved: resolved }, signal);
    },
    async remove(name, current, signal) {
      await client.ask('delete', comment, {
        path: { ...requestAddress(name), commentId: String(current.id) },
        query: { version: current.version },
        signal,
      });
    },
  };
}

function newComment({ text, inline, parent, pending }: NewComment): RestComment {
  return {
    text,
    ...(parent !== undefined && { parent: { id: parent } }),
    ...(pending && { state: 'PENDING' }),
    ...(inline && {
      anchor: {
        // Anchors have their paths as text, whatever the description says.
        path: inline.path as unknown as NonNullable<RestComment['anchor']>['path'] & object,
        ...(inline.oldPath !== undefined && {
          srcPath: inline.oldPath as unknown as NonNullable<RestComment['anchor']>['srcPath'] &
            object,
        }),
        line: inline.line,
        lineType: inline.side === 'new' ? 'ADDED' : 'REMOVED',
        fileType: inline.side === 'new' ? 'TO' : 'FROM',
        diffType: 'EFFECTIVE',
      },
    }),
  };
}

/** The thread that an activity is about; the same comment is told of again when it is changed. */
function threadOf(activity: SchemaRestPullRequestActivity): Thread | undefined {
  const { comment: told, commentAnchor, action } = activity as Commented;
  const { commentAction = 'ADDED' } = activity as { readonly commentAction?: string };
  const isFirst = commentAction === 'ADDED';
  if (action !== 'COMMENTED' || told === undefined || !isFirst) return undefined;
  return showThread(commentAnchor === undefined ? told : { ...told, anchor: commentAnchor });
}

function showThread(told: RestComment): Thread {
  const { anchor, threadResolved, state, severity, comments = [] } = told;
  const oldPath = pathText(anchor?.srcPath);
  const path = pathText(anchor?.path);
  return {
    ...showComment(told),
    ...(anchor && {
      inline: {
        path,
        ...(oldPath !== '' && oldPath !== path && { old_path: oldPath }),
        ...(anchor.line !== undefined && { line: anchor.line }),
        side: anchor.fileType === 'FROM' ? ('old' as const) : ('new' as const),
      },
    }),
    resolved: threadResolved === true || state === 'RESOLVED',
    ...(severity === 'BLOCKER' && { is_task: true }),
    replies: repliesOf(told.id ?? 0, comments),
  };
}

function repliesOf(parent: number, comments: readonly RestComment[]): Thread['replies'] {
  return comments.flatMap((reply) => [
    { ...showComment(reply), parent },
    ...repliesOf(reply.id ?? 0, reply.comments ?? []),
  ]);
}

function showComment({ id = 0, author, text = '', createdDate, version, state }: RestComment) {
  return {
    id,
    author: showUser(author),
    text,
    created: isoTime(createdDate),
    version: String(version ?? 0),
    ...(state === 'PENDING' && { pending: true }),
  };
}
