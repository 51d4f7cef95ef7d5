import type { DataCenterPaths, Rest } from '../../data-center/data-center-client.ts';
import { addComment, findComment } from '../double/change-world.ts';
import type { Asked, Routes } from '../double/routes.ts';
import {
  Refusal,
  type World,
  type WorldComment,
  type WorldPullRequest,
  type WorldUser,
} from '../double/world.ts';
import { pageOf, restUser } from './show-world.ts';

const one =
  '/api/latest/projects/{projectKey}/repos/{repositorySlug}/pull-requests/{pullRequestId}';

/** Comments and tasks as Data Center shows them. */
export function commentRoutes(routes: Routes<DataCenterPaths>, world: World): void {
  const requestAt = (path: Readonly<Record<string, string>>) =>
    world.pullRequest(
      world.repository(path.projectKey ?? '', path.repositorySlug ?? ''),
      Number(path.pullRequestId),
    );
  const commentAt = (path: Readonly<Record<string, string>>) => {
    const request = requestAt(path);
    return { request, comment: findComment(request, Number(path.commentId)) };
  };
  const change = ({ path, body, user }: Asked<unknown>) => {
    const { request, comment } = commentAt(path);
    const given = body as Rest<'RestComment'>;
    checkVersion(comment, given.version);
    if (given.text !== undefined && comment.author !== user) {
      throw new Refusal(403, 'You may only edit your own comments.');
    }
    comment.text = given.text ?? comment.text;
    comment.isResolved =
      given.state === undefined
        ? (given.threadResolved ?? comment.isResolved)
        : given.state === 'RESOLVED';
    comment.version += 1;
    return restComment(request, comment);
  };
  const add = ({ path, body, user }: Asked<unknown>) => {
    if (user === undefined) throw new Refusal(403, 'This token may not comment.');
    const request = requestAt(path);
    const { text = '', parent, anchor, severity, state } = body as Rest<'RestComment'>;
    const place = anchor as unknown as
      | { path: string; srcPath?: string; line: number; fileType?: string }
      | undefined;
    const made = addComment(world, request, {
      author: user,
      text,
      parent: parent?.id,
      isTask: severity === 'BLOCKER',
      isPending: state === 'PENDING',
      anchor: place && {
        path: place.path,
        oldPath: place.srcPath,
        line: place.line,
        side: place.fileType === 'FROM' ? 'old' : 'new',
      },
    });
    return restComment(request, made);
  };
  routes
    .onUndescribed('get', `${one}/activities`, ({ path, query }: Asked<never>) => {
      const request = requestAt(path);
      const shown = request.activities.filter(({ comment }) => comment?.isDeleted !== true);
      const page = pageOf(shown, query);
      return {
        ...page,
        values: page.values.map(({ id, action, user, at, comment }) => ({
          id,
          action,
          user: restUser(user as WorldUser),
          createdDate: at,
          ...(comment && {
            commentAction: 'ADDED',
            comment: restComment(request, comment),
            ...(comment.anchor && { commentAnchor: anchorOf(comment) }),
          }),
        })),
      };
    })
    .on('get', `${one}/comments/{commentId}`, ({ path }) => {
      const { request, comment } = commentAt(path);
      return restComment(request, comment);
    })
    .onUndescribed('post', `${one}/comments`, add)
    .onUndescribed('put', `${one}/comments/{commentId}`, change)
    .on('delete', `${one}/comments/{commentId}`, ({ path, query, user }) => {
      const { request, comment } = commentAt(path);
      checkVersion(comment, Number(query.get('version')));
      if (comment.author !== user) throw new Refusal(403, 'You may only delete your own comments.');
      if (request.comments.some(({ parent, isDeleted }) => parent === comment && !isDeleted)) {
        throw new Refusal(409, 'The comment has replies.');
      }
      comment.isDeleted = true;
      return undefined;
    })
    .onUndescribed('get', `${one}/blocker-comments`, ({ path, query }: Asked<never>) => {
      const request = requestAt(path);
      const tasks = request.comments.filter(({ isTask, isDeleted }) => isTask && !isDeleted);
      return pageOf(
        tasks.map((task) => restComment(request, task)),
        query,
      );
    })
    .on('get', `${one}/blocker-comments/{commentId}`, ({ path }) => {
      const { request, comment } = commentAt(path);
      return restComment(request, comment);
    })
    .onUndescribed('post', `${one}/blocker-comments`, add)
    .onUndescribed('put', `${one}/blocker-comments/{commentId}`, change);
}

function checkVersion(comment: WorldComment, given: unknown): void {
  if (given === comment.version) return;
  throw new Refusal(409, `The comment was changed. The current version is ${comment.version}.`);
}

function anchorOf({ anchor }: WorldComment) {
  return {
    path: anchor?.path,
    ...(anchor?.oldPath !== undefined && { srcPath: anchor.oldPath }),
    line: anchor?.line,
    lineType: anchor?.side === 'old' ? 'REMOVED' : 'ADDED',
    fileType: anchor?.side === 'old' ? 'FROM' : 'TO',
  } as NonNullable<Rest<'RestComment'>['anchor']>;
}

function restComment(request: WorldPullRequest, comment: WorldComment): Rest<'RestComment'> {
  const replies = request.comments.filter(
    ({ parent, isDeleted, isTask }) => parent === comment && !isDeleted && !isTask,
  );
  return {
    id: comment.id,
    version: comment.version,
    text: comment.text,
    author: restUser(comment.author),
    createdDate: comment.created,
    severity: comment.isTask ? 'BLOCKER' : 'NORMAL',
    state: comment.isPending
      ? 'PENDING'
      : comment.isTask && comment.isResolved
        ? 'RESOLVED'
        : 'OPEN',
    threadResolved: !comment.isTask && comment.isResolved,
    ...(comment.parent && { parent: { id: comment.parent.id } }),
    ...(comment.anchor && { anchor: anchorOf(comment) }),
    comments: replies.map((reply) => restComment(request, reply)),
  };
}
