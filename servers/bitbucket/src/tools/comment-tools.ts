import { McpError, ServiceError, type ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import type { NewComment, PullRequestName } from '../api/bitbucket-api.ts';
import { type Thread, thread } from '../api/model.ts';
import { isJustNow, settleWrite } from '../api/settle-write.ts';
import type { BitbucketContext } from '../bitbucket-context.ts';
import { bitbucketTool, type ToolNeeds } from './bitbucket-tool.ts';
import {
  cursorField,
  limitField,
  nextCursor,
  pathField,
  pullRequestField,
  repositoryField,
  requestName,
  shownPage,
  textField,
  versionField,
} from './fields.ts';

const needs = (permission: 'read' | 'write', more: Partial<ToolNeeds> = {}): ToolNeeds => ({
  toolset: 'reviews',
  capability: 'comments',
  permission,
  what: 'pull request or comment',
  ...more,
});

const commentField = z.int().min(1).describe('The id of the comment');
const changes = { readOnlyHint: false, destructiveHint: false, idempotentHint: true } as const;

/** Tools about comments of pull requests. */
export function commentTools(context: BitbucketContext): readonly ToolDefinition[] {
  const { comments } = context.api;

  /** The comment as it is now; refused when the caller has read an older one. */
  const current = async (
    name: PullRequestName,
    id: number,
    version: string | undefined,
    signal: AbortSignal,
  ) => {
    const now = await comments.get(name, id, signal);
    if (version === undefined || version === now.version) return now;
    throw stale(now, version);
  };
  const orStale = async (
    name: PullRequestName,
    before: Thread,
    error: unknown,
    signal: AbortSignal,
  ) => {
    if (!(error instanceof ServiceError && error.kind === 'conflict')) return error;
    const now = await comments.get(name, before.id, signal).catch(() => before);
    return now.version === before.version ? error : stale(now, before.version);
  };
  /** What was said just now, if it was; the same words of an earlier day are another comment. */
  const find = async (name: PullRequestName, said: NewComment, signal: AbortSignal) => {
    const { items } = await comments.list(name, { limit: 1000, signal });
    const mine = (await context.api.me(signal)).id;
    const all = items.flatMap((each) => [
      { ...each, parent: undefined },
      ...each.replies.map((reply) => ({ ...each, ...reply })),
    ]);
    return all
      .filter(({ text, author }) => text === said.text && author.id === mine)
      .filter(({ created, parent }) => isJustNow(created) && parent === said.parent)
      .find(
        ({ inline }) =>
          said.inline === undefined ||
          (inline?.path === said.inline.path && inline.line === said.inline.line),
      );
  };

  return [
    bitbucketTool(context, needs('read'), {
      name: 'list_comments',
      title: 'List comments',
      description: 'Lists the threads of a pull request with replies, places and what is resolved.',
      annotations: { readOnlyHint: true, idempotentHint: true },
      input: z.object({
        repository: repositoryField,
        pull_request: pullRequestField,
        resolved: z.boolean().optional().describe('Only resolved threads, or only open ones'),
        limit: limitField,
        cursor: cursorField,
      }),
      output: z.object({ threads: z.array(thread), next_cursor: nextCursor }),
      async handler({ resolved, limit, cursor, ...input }, { signal }) {
        const page = await comments.list(requestName(context, input), { limit, cursor, signal });
        const items =
          resolved === undefined
            ? page.items
            : page.items.filter((each) => each.resolved === resolved);
        return shownPage('threads', { ...page, items });
      },
    }),
    bitbucketTool(context, needs('write'), {
      name: 'add_comment',
      title: 'Add a comment',
      description:
        'Comments on a pull request: in general, on a line of a file (path, line, side), or as a reply.',
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      input: z.object({
        repository: repositoryField,
        pull_request: pullRequestField,
        text: textField.describe('Markdown'),
        path: pathField.min(1).optional(),
        old_path: pathField.min(1).optional().describe('Before the file was renamed'),
        line: z.int().min(1).optional(),
        side: z.enum(['new', 'old']).default('new').describe('old for removed lines'),
        reply_to: commentField.optional().describe('The id of the comment that this answers'),
        pending: z.boolean().optional().describe('Part of a review that is not published yet'),
      }),
      output: thread,
      async handler({ text, path, old_path, line, side, reply_to, pending, ...input }, { signal }) {
        if ((path === undefined) !== (line === undefined)) {
          throw new McpError('invalid_input', 'A comment on a line needs both path and line.');
        }
        const name = requestName(context, input);
        const said: NewComment = {
          text,
          parent: reply_to,
          pending,
          inline:
            path === undefined || line === undefined
              ? undefined
              : { path, oldPath: old_path, line, side },
        };
        return await settleWrite(
          'add_comment',
          () => comments.add(name, said, signal),
          () => find(name, said, signal),
        );
      },
    }),
    bitbucketTool(context, needs('write'), {
      name: 'update_comment',
      title: 'Change a comment',
      description: 'Replaces the text of a comment of mine.',
      annotations: changes,
      input: z.object({
        repository: repositoryField,
        pull_request: pullRequestField,
        comment: commentField,
        text: textField,
        version: versionField,
      }),
      output: thread,
      async handler({ comment, text, version, ...input }, { signal }) {
        const name = requestName(context, input);
        const before = await current(name, comment, version, signal);
        return await settleWrite(
          'update_comment',
          async () => {
            try {
              return await comments.update(name, before, text, signal);
            } catch (error) {
              throw await orStale(name, before, error, signal);
            }
          },
          async () => {
            const after = await comments.get(name, comment, signal);
            return after.text === text ? after : undefined;
          },
        );
      },
    }),
    bitbucketTool(
      context,
      needs('write', { leastVersion: '8.9', capability: 'thread resolution' }),
      {
        name: 'resolve_comment',
        title: 'Resolve a thread',
        description: 'Marks the thread of a comment as resolved, or opens it again.',
        annotations: changes,
        input: z.object({
          repository: repositoryField,
          pull_request: pullRequestField,
          comment: commentField,
          resolved: z.boolean().default(true),
        }),
        output: thread,
        async handler({ comment, resolved, ...input }, { signal }) {
          const name = requestName(context, input);
          const before = await comments.get(name, comment, signal);
          if (before.resolved === resolved) return before;
          return await settleWrite(
            'resolve_comment',
            async () => {
              await comments.resolve(name, before, resolved, signal);
              return await comments.get(name, comment, signal);
            },
            async () => {
              const after = await comments.get(name, comment, signal);
              return after.resolved === resolved ? after : undefined;
            },
          );
        },
      },
    ),
    bitbucketTool(context, needs('write'), {
      name: 'delete_comment',
      title: 'Delete a comment',
      description: 'Deletes a comment of mine that nobody has answered.',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      input: z.object({
        repository: repositoryField,
        pull_request: pullRequestField,
        comment: commentField,
        version: versionField,
      }),
      output: z.object({ deleted: z.literal(true) }),
      async handler({ comment, version, ...input }, { signal }) {
        const name = requestName(context, input);
        const before = await current(name, comment, version, signal);
        const done = { deleted: true as const };
        return await settleWrite(
          'delete_comment',
          async () => {
            try {
              await comments.remove(name, before, signal);
              return done;
            } catch (error) {
              throw await orStale(name, before, error, signal);
            }
          },
          async () => {
            const after = await comments.get(name, comment, signal).catch((error: unknown) => {
              if (error instanceof ServiceError && error.kind === 'not_found') return undefined;
              throw error;
            });
            return after === undefined || after.deleted ? done : undefined;
          },
        );
      },
    }),
  ];
}

function stale(now: Thread, given: string): McpError {
  const { author, text, version } = now;
  return new McpError(
    'conflict',
    `The comment is at version ${version}, not ${given}: ${author.name} wrote "${text.slice(0, 200)}". Read it again, then decide.`,
    {
      current_version: version,
      given_version: given,
      changed_by: author.name,
      now: { text: text.slice(0, 1000) },
    },
  );
}
