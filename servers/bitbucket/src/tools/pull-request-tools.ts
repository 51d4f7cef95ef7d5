import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { change, type PullRequest, pullRequest, pullRequestSummary } from '../api/model.ts';
import type { BitbucketContext } from '../bitbucket-context.ts';
import { bitbucketTool, type ToolNeeds } from './bitbucket-tool.ts';
import { createDiffPages } from './diff-pages.ts';
import {
  cursorField,
  limitField,
  nextCursor,
  ownerField,
  pathField,
  personField,
  pullRequestField,
  refField,
  repositoryField,
  repositoryName,
  requestName,
  shownPage,
} from './fields.ts';
import { lengthField } from './source-tools.ts';

const readOnly = { readOnlyHint: true, idempotentHint: true } as const;

const needs: ToolNeeds = {
  toolset: 'pull_requests',
  capability: 'pull requests',
  permission: 'read',
  what: 'pull request',
};

/** A pull request without what only its own tool shows. */
function summaryOf({ description: _, merge_commit: __, ...summary }: PullRequest) {
  return summary;
}

/** Tools that read pull requests. */
export function pullRequestTools(context: BitbucketContext): readonly ToolDefinition[] {
  const { pullRequests, me } = context.api;
  const diffs = createDiffPages(context.api);
  return [
    bitbucketTool(context, needs, {
      name: 'list_pull_requests',
      title: 'List pull requests',
      description: 'Lists pull requests of a repository, the newest first.',
      annotations: readOnly,
      input: z.object({
        repository: repositoryField,
        state: z.enum(['open', 'merged', 'declined', 'all']).default('open'),
        author: personField.optional().describe('The id of a person'),
        reviewer: personField.optional().describe('The id of a person'),
        mine: z
          .enum(['author', 'reviewer'])
          .optional()
          .describe('Only those that I wrote or review'),
        target: refField.optional().describe('Into this branch'),
        limit: limitField,
        cursor: cursorField,
      }),
      output: z.object({ pull_requests: z.array(pullRequestSummary), next_cursor: nextCursor }),
      async handler({ repository, mine, limit, cursor, ...query }, { signal }) {
        const name = repositoryName(context, repository);
        const own = mine === undefined ? {} : { [mine]: (await me(signal)).id };
        const page = await pullRequests.list(name, { ...query, ...own }, { limit, cursor, signal });
        return shownPage('pull_requests', { ...page, items: page.items.map(summaryOf) });
      },
    }),
    bitbucketTool(context, needs, {
      name: 'get_pull_request',
      title: 'Show a pull request',
      description: 'Shows one pull request with its description, reviewers and version.',
      annotations: readOnly,
      input: z.object({ repository: repositoryField, pull_request: pullRequestField }),
      output: pullRequest,
      handler: (input, { signal }) => pullRequests.get(requestName(context, input), signal),
    }),
    bitbucketTool(context, needs, {
      name: 'get_pull_request_diff',
      title: 'Show the diff of a pull request',
      description: 'Shows the changed lines as a unified diff, of all files or of one, in pages.',
      annotations: readOnly,
      input: z.object({
        repository: repositoryField,
        pull_request: pullRequestField,
        path: pathField.min(1).optional().describe('Only this file, by its new or old path'),
        max_length: lengthField,
        cursor: cursorField,
      }),
      output: z.object({ diff: z.string(), next_cursor: nextCursor }),
      async handler({ path, max_length, cursor, ...input }, { signal }) {
        const name = requestName(context, input);
        return await diffs.page(name, { path, max_length, cursor }, signal);
      },
    }),
    bitbucketTool(context, needs, {
      name: 'list_pull_request_changes',
      title: 'List the files of a pull request',
      description: 'Lists the files that a pull request changes.',
      annotations: readOnly,
      input: z.object({
        repository: repositoryField,
        pull_request: pullRequestField,
        limit: limitField,
        cursor: cursorField,
      }),
      output: z.object({ changes: z.array(change), next_cursor: nextCursor }),
      async handler({ limit, cursor, ...input }, { signal }) {
        const name = requestName(context, input);
        return shownPage(
          'changes',
          await pullRequests.listChanges(name, { limit, cursor, signal }),
        );
      },
    }),
    bitbucketTool(
      context,
      { ...needs, capability: 'inbox' },
      {
        name: 'my_inbox',
        title: 'My pull requests',
        description: 'Lists open pull requests that wait for my review, or those that I wrote.',
        annotations: readOnly,
        input: z.object({
          role: z.enum(['reviewer', 'author']).default('reviewer'),
          workspace: ownerField.describe('Cloud: the workspace'),
          limit: limitField,
          cursor: cursorField,
        }),
        output: z.object({ pull_requests: z.array(pullRequestSummary), next_cursor: nextCursor }),
        async handler({ role, workspace = context.defaultOwner, ...rest }, { signal }) {
          const page = await pullRequests.listInbox(role, workspace, { ...rest, signal });
          return shownPage('pull_requests', { ...page, items: page.items.map(summaryOf) });
        },
      },
    ),
  ];
}
