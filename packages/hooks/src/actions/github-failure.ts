import { isRecord } from '@errand/wire';
import { type ActionError, failed } from './action-error.ts';

/** An answer of GitHub. */
export interface GitHubAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly data: unknown;
}

interface Asked {
  /** `owner/name`. */
  readonly repository: string;
  /** The token as the hook has it: a reference. */
  readonly token: string;
}

/** What a refusal of GitHub means, and what to do about it. */
export function githubFailure(refused: GitHubAnswer, { repository, token }: Asked): ActionError {
  const { status } = refused;
  const said = saidBy(refused.data);
  const wait = waitFor(refused);
  if (wait !== undefined) {
    const message = `GitHub takes no more requests for now${said}. Run the hook again ${wait}, or less often.`;
    return failed('rate_limited', message);
  }
  if (status >= 500) {
    return failed('github_uncertain', `GitHub failed with ${status}${said}. ${maybeDone}`);
  }
  // A browser hides the status of a redirect, and says 0.
  if (status < 400) {
    const message = `${repository} has moved. Write its new name as "repository", or the right address as "url".`;
    return failed('github_moved', message);
  }
  const advice = adviceFor[status]?.(repository, token) ?? 'Correct the action.';
  return failed(`github_${status}`, `GitHub refused with ${status}${said}. ${advice}`);
}

/** What is said of a request whose effect is unknown. */
export const maybeDone = 'It may have been done, so it is not repeated: look at GitHub.';

const adviceFor: Readonly<Record<number, (repository: string, token: string) => string>> = {
  401: (_, token) => `It does not know the token ${token}, or it has expired. Set it again.`,
  403: (repository, token) =>
    `The token ${token} may not do that in ${repository}. Give it the permission to write there.`,
  404: (repository, token) =>
    `Either there is no ${repository} or no such issue, pull request or label, or the token ${token} may not see it. Correct the action, or give the token access.`,
  405: () => 'The pull request cannot be merged as it is. Look at its checks and reviews.',
  409: () => 'It changed meanwhile, or it is in conflict. Look at it, then run the hook again.',
  410: (repository) => `Issues are switched off in ${repository}. Switch them on in its settings.`,
  422: () => 'Correct the parameters of the action.',
};

/** When requests are taken again; undefined when it is not about that. */
function waitFor({ status, headers }: GitHubAnswer): string | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = Number(headers['retry-after']);
  if (after > 0) return `after ${after} s`;
  const reset = Number(headers['x-ratelimit-reset']);
  const isUsedUp = String(headers['x-ratelimit-remaining']) === '0';
  if (isUsedUp && reset > 0) return `after ${new Date(reset * 1000).toISOString()}`;
  return status === 429 ? 'in a few minutes' : undefined;
}

function saidBy(data: unknown): string {
  if (!isRecord(data)) return '';
  const errors = Array.isArray(data['errors']) ? data['errors'] : [];
  const details = errors.map((error: unknown) => {
    if (!isRecord(error)) return String(error);
    const { message, resource, field, code } = error;
    return message ?? [resource, field, code].filter(Boolean).join(' ');
  });
  const parts = [data['message'], ...details].filter((part) => typeof part === 'string');
  return parts.length === 0 ? '' : ` (${parts.join('; ').slice(0, 1_000)})`;
}
