import { McpError } from '@errand/server-kit';
import type { PullRequestName, PullRequests } from '../api/bitbucket-api.ts';
import type { PullRequest } from '../api/model.ts';

/** The error of a change that was made for an older version: who changed it, and to what. */
export async function staleRequest(
  pullRequests: PullRequests,
  name: PullRequestName,
  current: PullRequest,
  given: string,
  signal: AbortSignal,
): Promise<McpError> {
  const last = await pullRequests.lastChange(name, signal).catch(() => undefined);
  const who = last === undefined ? 'Somebody' : last.by;
  const when = last === undefined ? '' : ` at ${last.at}`;
  const { version, title, state, source, target } = current;
  return new McpError(
    'conflict',
    `Pull request ${name.id} is at version ${version}, not ${given}. ${who} changed it${when} (${last?.action ?? 'updated'}): it is ${state}, "${title}", from ${source.branch} at ${source.commit ?? 'an unknown commit'} into ${target.branch}. Read it again, then decide.`,
    {
      current_version: version,
      given_version: given,
      ...(last && { changed_by: last.by, changed_at: last.at, action: last.action }),
      now: {
        title,
        state,
        source_branch: source.branch,
        ...(source.commit && { source_commit: source.commit }),
        target_branch: target.branch,
        reviewers: current.reviewers.map(({ name: reviewer }) => reviewer),
        ...(current.description && { description: current.description.slice(0, 1000) }),
      },
    },
  );
}
