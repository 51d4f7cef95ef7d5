import { McpError, ServiceError, type ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { task } from '../api/model.ts';
import { isJustNow, settleWrite } from '../api/settle-write.ts';
import type { BitbucketContext } from '../bitbucket-context.ts';
import { bitbucketTool, type ToolNeeds } from './bitbucket-tool.ts';
import {
  cursorField,
  limitField,
  nextCursor,
  pullRequestField,
  repositoryField,
  requestName,
  shownPage,
  textField,
} from './fields.ts';

const needs = (permission: 'read' | 'write'): ToolNeeds => ({
  toolset: 'reviews',
  capability: 'tasks',
  permission,
  what: 'pull request or task',
});

/** Tools about tasks of pull requests. */
export function taskTools(context: BitbucketContext): readonly ToolDefinition[] {
  const { tasks } = context.api;
  return [
    bitbucketTool(context, needs('read'), {
      name: 'list_tasks',
      title: 'List tasks',
      description: 'Lists the tasks of a pull request.',
      annotations: { readOnlyHint: true, idempotentHint: true },
      input: z.object({
        repository: repositoryField,
        pull_request: pullRequestField,
        limit: limitField,
        cursor: cursorField,
      }),
      output: z.object({ tasks: z.array(task), next_cursor: nextCursor }),
      async handler({ limit, cursor, ...input }, { signal }) {
        const name = requestName(context, input);
        return shownPage('tasks', await tasks.list(name, { limit, cursor, signal }));
      },
    }),
    bitbucketTool(context, needs('write'), {
      name: 'set_task',
      title: 'Add or change a task',
      description:
        'Adds a task to a pull request (text, and the comment it belongs to), or changes one by its id.',
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      input: z.object({
        repository: repositoryField,
        pull_request: pullRequestField,
        task: z.int().min(1).optional().describe('The id of a task to change'),
        text: textField.optional(),
        state: z.enum(['open', 'resolved']).optional(),
        comment: z.int().min(1).optional().describe('For a new task: the comment it belongs to'),
      }),
      output: task,
      async handler({ task: id, text, state, comment, ...input }, { signal }) {
        const name = requestName(context, input);
        if (id === undefined) {
          if (text === undefined) throw new McpError('invalid_input', 'A new task needs a text.');
          const made = await settleWrite(
            'set_task',
            () => tasks.add(name, { text, comment }, signal),
            async () => {
              const { items } = await tasks.list(name, { limit: 1000, signal });
              return items.findLast(
                (each) => each.text === text && each.comment === comment && isJustNow(each.created),
              );
            },
          );
          if (state === undefined || state === made.state) return made;
          return await tasks.update(name, made, { state }, signal);
        }
        const before = await tasks.get(name, id, signal);
        const isSame = (each: typeof before) =>
          each.text === (text ?? each.text) && each.state === (state ?? each.state);
        if (isSame(before)) return before;
        return await settleWrite(
          'set_task',
          async () => {
            try {
              return await tasks.update(name, before, { text, state }, signal);
            } catch (error) {
              if (!(error instanceof ServiceError && error.kind === 'conflict')) throw error;
              const now = await tasks.get(name, id, signal);
              throw new McpError(
                'conflict',
                `Somebody changed the task: it is ${now.state}, "${now.text.slice(0, 200)}". Read it again, then decide.`,
                { current_version: now.version, now: { text: now.text, state: now.state } },
                { cause: error },
              );
            }
          },
          async () => {
            const after = await tasks.get(name, id, signal);
            return isSame(after) ? after : undefined;
          },
        );
      },
    }),
  ];
}
