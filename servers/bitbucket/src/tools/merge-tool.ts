import { McpError, ServiceError, type ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import type { PullRequestName } from '../api/bitbucket-api.ts';
import type { PullRequest } from '../api/model.ts';
import { isUncertain, unclear } from '../api/settle-write.ts';
import type { BitbucketContext } from '../bitbucket-context.ts';
import { bitbucketTool } from './bitbucket-tool.ts';
import { pullRequestField, repositoryField, requestName, versionField } from './fields.ts';
import { staleRequest } from './stale.ts';

/** How long to wait for a merge to show, in milliseconds. */
const waits = [200, 500, 1000, 2000];

/** `merge_pull_request`: merges what was read, once; a lost answer is found out by asking. */
export function mergeTool(context: BitbucketContext): ToolDefinition {
  const { pullRequests } = context.api;
  return bitbucketTool(
    context,
    {
      toolset: 'pull_requests',
      capability: 'merge',
      permission: 'write',
      what: 'merge of the pull request',
    },
    {
      name: 'merge_pull_request',
      title: 'Merge a pull request',
      description:
        'Merges a pull request. With the version that you have read, it is refused when somebody changed it meanwhile. Calling it again for a merged one changes nothing.',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      input: z.object({
        repository: repositoryField,
        pull_request: pullRequestField,
        version: versionField,
        strategy: z
          .enum([
            'merge_commit',
            'squash',
            'fast_forward',
            'squash_fast_forward',
            'rebase_merge',
            'rebase_fast_forward',
          ])
          .optional()
          .describe("The repository's own by default"),
        message: z.string().max(10_000).optional(),
        close_source_branch: z.boolean().optional().describe('Cloud'),
      }),
      output: z.object({
        merged: z.literal(true),
        already_merged: z.boolean().optional(),
        merge_commit: z.string().optional(),
        version: z.string(),
      }),
      async handler(input, { signal }) {
        const name = requestName(context, input);
        const current = await pullRequests.get(name, signal);
        if (current.state === 'merged') return { ...shown(current), already_merged: true };
        const { version = current.version, strategy, message } = input;
        if (version !== current.version) {
          throw await staleRequest(pullRequests, name, current, version, signal);
        }
        if (current.state !== 'open') {
          throw new McpError('conflict', `Pull request ${name.id} is ${current.state}.`);
        }
        const closeSourceBranch = input.close_source_branch;
        try {
          const merge = { version, strategy, message, closeSourceBranch };
          await pullRequests.merge(name, merge, signal);
        } catch (error) {
          if (isUncertain(error)) return shown(await askUntilMerged(name, error, signal));
          throw await explained(name, version, error, signal);
        }
        return shown(await askUntilMerged(name, undefined, signal));
      },
    },
  );

  /** The merged request; when its merge was not confirmed and does not show, nobody knows. */
  async function askUntilMerged(
    name: PullRequestName,
    lost: ServiceError | undefined,
    signal: AbortSignal,
  ): Promise<PullRequest> {
    for (const wait of waits) {
      const now = await pullRequests.get(name, signal).catch((error: unknown) => {
        if (error instanceof ServiceError && error.isTemporary) return undefined;
        throw error;
      });
      if (now?.state === 'merged') return now;
      await context.sleep(wait, signal);
    }
    const cause =
      lost ?? new ServiceError({ kind: 'timeout', method: 'POST', url: '', sent: 'yes' });
    throw unclear('merge_pull_request', cause);
  }

  /** Why Bitbucket refused: a newer version, vetoes, or what it says itself. */
  async function explained(
    name: PullRequestName,
    version: string,
    error: unknown,
    signal: AbortSignal,
  ): Promise<unknown> {
    const isRefusal = error instanceof ServiceError && /conflict|invalid/.test(error.kind);
    if (!isRefusal) return error;
    const now = await pullRequests.get(name, signal).catch(() => undefined);
    if (now !== undefined && now.version !== version) {
      return await staleRequest(pullRequests, name, now, version, signal);
    }
    const vetoes = await pullRequests.vetoes(name, signal).catch(() => []);
    if (vetoes.length === 0) return error;
    return new McpError(
      'conflict',
      `Pull request ${name.id} cannot be merged yet. ${vetoes.join(' ')}`.slice(0, 2000),
      { vetoes: vetoes.slice(0, 20), version: now?.version },
      { cause: error },
    );
  }
}

function shown({ version, merge_commit }: PullRequest) {
  return { merged: true as const, version, ...(merge_commit && { merge_commit }) };
}
