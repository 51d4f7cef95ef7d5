import type { Cloud, CloudPaths } from '../../cloud/cloud-client.ts';
import { addComment, findComment } from '../double/change-world.ts';
import type { Asked, Routes } from '../double/routes.ts';
import { Refusal, type World, type WorldComment, type WorldUser } from '../double/world.ts';
import { cloudAccount, pageOf } from './show-world.ts';

const one = '/repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}';

interface GivenComment {
  readonly content?: { readonly raw?: string };
  readonly parent?: { readonly id?: number };
  readonly inline?: { readonly path: string; readonly to?: number; readonly from?: number };
  readonly pending?: boolean;
}

/** Comments and tasks as Cloud shows them: comments in one list, tasks in another. */
export function cloudCommentRoutes(routes: Routes<CloudPaths>, world: World): void {
  const requestAt = (path: Readonly<Record<string, string>>) =>
    world.pullRequest(
      world.repository(path.workspace ?? '', path.repo_slug ?? ''),
      Number(path.pull_request_id),
    );
  const commentAt = (path: Readonly<Record<string, string>>) =>
    findComment(requestAt(path), Number(path.comment_id ?? path.task_id));
  const own = (comment: WorldComment, user: WorldUser | undefined) => {
    if (comment.author !== user) throw new Refusal(403, 'You may only change your own comments.');
  };
  routes
    .onUndescribed('get', `${one}/comments`, ({ path, url }: Asked<never>) => {
      const all = requestAt(path).comments.filter(({ isTask }) => !isTask);
      const page = pageOf(all, url);
      return { ...page, values: page.values.map(cloudComment) };
    })
    .onUndescribed('post', `${one}/comments`, ({ path, body, user }: Asked<never>) => {
      if (user === undefined) throw new Refusal(403, 'This token may not comment.');
      const { content, parent, inline, pending } = body as GivenComment;
      return cloudComment(
        addComment(world, requestAt(path), {
          author: user,
          text: content?.raw ?? '',
          parent: parent?.id,
          isPending: pending ?? false,
          anchor: inline && {
            path: inline.path,
            line: inline.to ?? inline.from ?? 1,
            side: inline.to === undefined ? 'old' : 'new',
          },
        }),
      );
    })
    .onUndescribed('get', `${one}/comments/{comment_id}`, ({ path }: Asked<never>) =>
      cloudComment(commentAt(path)),
    )
    .onUndescribed('put', `${one}/comments/{comment_id}`, ({ path, body, user }: Asked<never>) => {
      const comment = commentAt(path);
      own(comment, user);
      comment.text = (body as GivenComment).content?.raw ?? comment.text;
      comment.version += 1;
      return cloudComment(comment);
    })
    .on('delete', `${one}/comments/{comment_id}`, ({ path, user }) => {
      const comment = commentAt(path);
      own(comment, user);
      comment.isDeleted = true;
      return undefined;
    })
    .onUndescribed('post', `${one}/comments/{comment_id}/resolve`, ({ path }: Asked<never>) => {
      const comment = commentAt(path);
      if (comment.isResolved) throw new Refusal(409, 'The thread is already resolved.');
      comment.isResolved = true;
      return { type: 'comment_resolution' };
    })
    .on('delete', `${one}/comments/{comment_id}/resolve`, ({ path }) => {
      commentAt(path).isResolved = false;
      return undefined;
    })
    .on('get', `${one}/tasks`, ({ path, url }) =>
      pageOf(
        requestAt(path)
          .comments.filter(({ isTask, isDeleted }) => isTask && !isDeleted)
          .map(cloudTask),
        url,
      ),
    )
    .on('post', `${one}/tasks`, ({ path, body, user }) => {
      if (user === undefined) throw new Refusal(403, 'This token may not do this.');
      const { content, comment } = body;
      const made = addComment(world, requestAt(path), {
        author: user,
        text: content.raw,
        parent: comment?.id,
        isTask: true,
      });
      return cloudTask(made);
    })
    .on('get', `${one}/tasks/{task_id}`, ({ path }) => cloudTask(commentAt(path)))
    .on('put', `${one}/tasks/{task_id}`, ({ path, body }) => {
      const task = commentAt(path);
      task.text = body.content?.raw ?? task.text;
      if (body.state !== undefined) task.isResolved = body.state === 'RESOLVED';
      return cloudTask(task);
    });
}

function cloudComment(comment: WorldComment) {
  const { anchor, parent } = comment;
  return {
    type: 'pullrequest_comment',
    id: comment.id,
    user: cloudAccount(comment.author),
    content: { raw: comment.isDeleted ? '' : comment.text },
    created_on: new Date(comment.created).toISOString(),
    deleted: comment.isDeleted,
    pending: comment.isPending,
    ...(parent && { parent: { id: parent.id } }),
    ...(anchor && {
      inline: {
        path: anchor.path,
        ...(anchor.side === 'new' ? { to: anchor.line } : { from: anchor.line }),
      },
    }),
    ...(comment.isResolved && { resolution: { type: 'comment_resolution' } }),
  };
}

function cloudTask(task: WorldComment): Cloud<'pullrequest_comment_task'> {
  return {
    id: task.id,
    content: { raw: task.text },
    state: task.isResolved ? 'RESOLVED' : 'UNRESOLVED',
    creator: cloudAccount(task.author) as Cloud<'account'>,
    created_on: new Date(task.created).toISOString(),
    updated_on: new Date(task.created).toISOString(),
    ...(task.parent && { comment: { type: 'comment', id: task.parent.id } as Cloud<'comment'> }),
  };
}
