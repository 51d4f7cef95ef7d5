import { McpError, ServiceError, type ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import type { PullRequestChange, PullRequestName, RepositoryName } from '../api/bitbucket-api.ts';
import { type PullRequest, pullRequest } from '../api/model.ts';
import { settleWrite } from '../api/settle-write.ts';
import type { BitbucketContext } from '../bitbucket-context.ts';
import { bitbucketTool, type ToolNeeds } from './bitbucket-tool.ts';
import {
  personField,
  pullRequestField,
  refField,
  repositoryField,
  repositoryName,
  requestName,
  versionField,
} from './fields.ts';
import { staleRequest } from './stale.ts';

const needs: ToolNeeds = {
  toolset: 'pull_requests',
  capability: 'pull requests',
  permission: 'write',
  what: 'pull request',
};

const people = z.array(personField).max(100);

/** Tools that change pull requests. */
export function pullRequestChangeTools(context: BitbucketContext): readonly ToolDefinition[] {
  const { pullRequests, repositories } = context.api;

  /** The request as it is now; refused when the caller has read an older one. */
  const current = async (
    name: PullRequestName,
    version: string | undefined,
    signal: AbortSignal,
  ) => {
    const now = await pullRequests.get(name, signal);
    if (version === undefined || version === now.version) return now;
    throw await staleRequest(pullRequests, name, now, version, signal);
  };
  /** Somebody was faster between reading and writing. */
  const orStale = async (
    name: PullRequestName,
    version: string,
    error: unknown,
    signal: AbortSignal,
  ): Promise<unknown> => {
    if (!(error instanceof ServiceError && error.kind === 'conflict')) return error;
    const now = await pullRequests.get(name, signal);
    return now.version === version
      ? error
      : await staleRequest(pullRequests, name, now, version, signal);
  };
  const findOpen = async (
    name: RepositoryName,
    { title, source, target }: { title: string; source: string; target: string },
    signal: AbortSignal,
  ) => {
    const query = { state: 'open', target } as const;
    const { items } = await pullRequests.list(name, query, { limit: 50, signal });
    return items.find((each) => each.source.branch === source && each.title === title);
  };

  return [
    bitbucketTool(context, needs, {
      name: 'create_pull_request',
      title: 'Create a pull request',
      description: 'Opens a pull request, with the default reviewers of the repository.',
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      input: z.object({
        repository: repositoryField,
        title: z.string().trim().min(1).max(255),
        description: z.string().max(32_768).optional(),
        source: refField.describe('The branch with the changes'),
        source_repository: repositoryField.optional().describe('The fork that it is in'),
        target: refField.optional().describe('The default branch by default'),
        reviewers: people.default([]).describe('Ids of persons'),
        default_reviewers: z.boolean().default(true),
        draft: z.boolean().optional(),
      }),
      output: pullRequest,
      async handler(input, { signal }) {
        const name = repositoryName(context, input.repository);
        const target =
          input.target ?? (await repositories.getRepository(name, signal)).default_branch;
        if (target === undefined) {
          throw new McpError('invalid_input', 'The repository has no default branch: name target.');
        }
        const { title, source } = input;
        return await settleWrite(
          'create_pull_request',
          () =>
            pullRequests.create(
              name,
              {
                title,
                description: input.description,
                source,
                sourceRepository:
                  input.source_repository === undefined
                    ? undefined
                    : repositoryName(context, input.source_repository),
                target,
                reviewers: input.reviewers,
                addDefaultReviewers: input.default_reviewers,
                draft: input.draft,
              },
              signal,
            ),
          () => findOpen(name, { title, source, target }, signal),
        );
      },
    }),
    bitbucketTool(context, needs, {
      name: 'update_pull_request',
      title: 'Change a pull request',
      description: 'Changes title, description, target, reviewers or draft; the rest stays.',
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
      input: z.object({
        repository: repositoryField,
        pull_request: pullRequestField,
        version: versionField,
        title: z.string().trim().min(1).max(255).optional(),
        description: z.string().max(32_768).optional(),
        target: refField.optional(),
        reviewers: people.optional().describe('Ids of all reviewers that it shall have'),
        draft: z.boolean().optional(),
      }),
      output: pullRequest,
      async handler({ repository, pull_request, version, ...change }, { signal }) {
        const name = requestName(context, { repository, pull_request });
        const now = await current(name, version, signal);
        return await settleWrite(
          'update_pull_request',
          async () => {
            try {
              return await pullRequests.update(now, name, change, signal);
            } catch (error) {
              throw await orStale(name, now.version, error, signal);
            }
          },
          async () => {
            const after = await pullRequests.get(name, signal);
            return isAsAsked(after, change) ? after : undefined;
          },
        );
      },
    }),
    bitbucketTool(
      context,
      { ...needs, toolset: 'reviews', capability: 'reviews' },
      {
        name: 'review_pull_request',
        title: 'Review a pull request',
        description: 'Approves a pull request, says that it needs work, or takes my review back.',
        annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
        input: z.object({
          repository: repositoryField,
          pull_request: pullRequestField,
          review: z.enum(['approve', 'needs_work', 'withdraw']),
        }),
        output: pullRequest,
        async handler({ review, ...input }, { signal }) {
          const name = requestName(context, input);
          await pullRequests.review(name, review, signal);
          return await pullRequests.get(name, signal);
        },
      },
    ),
    bitbucketTool(context, needs, {
      name: 'decline_pull_request',
      title: 'Decline a pull request',
      description: 'Closes a pull request without merging it.',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      input: z.object({
        repository: repositoryField,
        pull_request: pullRequestField,
        version: versionField,
      }),
      output: z.object({ declined: z.literal(true), version: z.string() }),
      async handler({ version, ...input }, { signal }) {
        const name = requestName(context, input);
        const before = await pullRequests.get(name, signal);
        const shown = (now: string) => ({ declined: true as const, version: now });
        if (before.state === 'declined') return shown(before.version);
        const now = await current(name, version, signal);
        return await settleWrite(
          'decline_pull_request',
          async () => {
            try {
              await pullRequests.decline(name, now.version, signal);
            } catch (error) {
              throw await orStale(name, now.version, error, signal);
            }
            return shown((await pullRequests.get(name, signal)).version);
          },
          async () => {
            const after = await pullRequests.get(name, signal);
            return after.state === 'declined' ? shown(after.version) : undefined;
          },
        );
      },
    }),
  ];
}

/** Whether a pull request has what a change asked for; somebody else may have changed it meanwhile. */
function isAsAsked(
  { title, description = '', target, reviewers, draft = false }: PullRequest,
  asked: PullRequestChange,
): boolean {
  const ids = new Set(reviewers.map(({ id }) => id));
  return (
    title === (asked.title ?? title) &&
    description.trim() === (asked.description ?? description).trim() &&
    target.branch === (asked.target ?? target.branch) &&
    draft === (asked.draft ?? draft) &&
    (asked.reviewers === undefined ||
      (asked.reviewers.length === ids.size && asked.reviewers.every((id) => ids.has(id))))
  );
}
