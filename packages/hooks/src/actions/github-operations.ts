import { z } from 'zod';
import type { ActionOf } from '../hook-schema.ts';

/** A request to the API of GitHub, without the repository. */
export interface GitHubCall {
  readonly route: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The request that an operation makes of its rendered parameters, or what is wrong with those. */
export function githubCall(
  operation: ActionOf<'github'>['parameters']['operation'],
  parameters: Readonly<Record<string, unknown>>,
): { readonly call: GitHubCall } | { readonly problems: readonly string[] } {
  const { success, data, error } = operations[operation].safeParse(parameters);
  if (success) return { call: data };
  return { problems: error.issues.map(({ path, message }) => `"${path.join('.')}": ${message}`) };
}

const write = (advice: string) => ({ error: `Write ${advice}.` });
const text = (advice: string) => z.string(write(advice)).trim().min(1, write(advice));
const body = z.string(write('text')).optional();
const flag = z.boolean(write('true or false')).optional();
const number = z.coerce.number(write('a number')).int(write('a number')).min(1, write('a number'));

/** One name may stand for a list of one. */
const names = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z.array(text('names'), write('a list of names')).min(1, write('one name or more')),
);

const issues = '/repos/{owner}/{repo}/issues';
const pulls = '/repos/{owner}/{repo}/pulls';

// Names of parameters are those of earlier hooks of other programs, so that such hooks can be imported.
const pullRequest = { prNumber: number };

/** To GitHub a pull request is an issue, too. */
const issue = { issueNumber: number.optional(), prNumber: number.optional() };
type Issue = { readonly issueNumber?: number | undefined; readonly prNumber?: number | undefined };
const hasNumber = ({ issueNumber, prNumber }: Issue) => (issueNumber ?? prNumber) !== undefined;
const noNumber = { path: ['issueNumber'], error: 'Write the number of an issue.' };
const at = ({ issueNumber, prNumber }: Issue) => ({ number: issueNumber ?? prNumber });

const call = (route: string, parameters: Readonly<Record<string, unknown>>): GitHubCall => ({
  route,
  parameters,
});

const operations = {
  'open-issue': z
    .object({ title: text('a title'), body, labels: names.optional(), assignees: names.optional() })
    .transform((issue) => call(`POST ${issues}`, issue)),
  'close-issue': z
    .object({
      ...issue,
      reason: z
        .enum(['completed', 'not_planned'], write('"completed" or "not_planned"'))
        .optional(),
    })
    .refine(hasNumber, noNumber)
    .transform(({ reason, ...issue }) =>
      call(`PATCH ${issues}/{number}`, { ...at(issue), state: 'closed', state_reason: reason }),
    ),
  'create-pr': z
    .object({
      title: text('a title'),
      body,
      headBranch: text('the branch with the changes'),
      baseBranch: text('the branch to change'),
      draft: flag,
    })
    .transform(({ headBranch: head, baseBranch: base, ...pull }) =>
      call(`POST ${pulls}`, { ...pull, head, base }),
    ),
  'merge-pr': z
    .object({
      ...pullRequest,
      mergeMethod: z
        .enum(['merge', 'squash', 'rebase'], write('"merge", "squash" or "rebase"'))
        .optional(),
    })
    .transform(({ prNumber, mergeMethod }) =>
      call(`PUT ${pulls}/{number}/merge`, { number: prNumber, merge_method: mergeMethod }),
    ),
  'close-pr': z
    .object(pullRequest)
    .transform(({ prNumber }) =>
      call(`PATCH ${pulls}/{number}`, { number: prNumber, state: 'closed' }),
    ),
  'add-comment': z
    .object({ ...issue, body: text('a comment') })
    .refine(hasNumber, noNumber)
    .transform(({ body, ...issue }) =>
      call(`POST ${issues}/{number}/comments`, { ...at(issue), body }),
    ),
  'add-label': z
    .object({ ...issue, labels: names })
    .refine(hasNumber, noNumber)
    .transform(({ labels, ...issue }) =>
      call(`POST ${issues}/{number}/labels`, { ...at(issue), labels }),
    ),
  'remove-label': z
    .object({ ...issue, labelName: text('the name of a label') })
    .refine(hasNumber, noNumber)
    .transform(({ labelName: name, ...issue }) =>
      call(`DELETE ${issues}/{number}/labels/{name}`, { ...at(issue), name }),
    ),
  'request-review': z
    .object({ ...pullRequest, reviewers: names.optional(), teamReviewers: names.optional() })
    .refine(({ reviewers, teamReviewers }) => reviewers ?? teamReviewers, {
      path: ['reviewers'],
      error: 'Write one name or more.',
    })
    .transform(({ prNumber, reviewers, teamReviewers }) =>
      call(`POST ${pulls}/{number}/requested_reviewers`, {
        number: prNumber,
        reviewers,
        team_reviewers: teamReviewers,
      }),
    ),
  'assign-issue': z
    .object({ ...issue, assignees: names })
    .refine(hasNumber, noNumber)
    .transform(({ assignees, ...issue }) =>
      call(`POST ${issues}/{number}/assignees`, { ...at(issue), assignees }),
    ),
  'create-release': z
    .object({
      tagName: text('a tag'),
      releaseName: body,
      releaseBody: body,
      target: text('a branch or commit').optional(),
      draft: flag,
      prerelease: flag,
    })
    .transform(({ tagName, releaseName, releaseBody, target, draft, prerelease }) =>
      call('POST /repos/{owner}/{repo}/releases', {
        tag_name: tagName,
        name: releaseName,
        body: releaseBody,
        target_commitish: target,
        draft,
        prerelease,
      }),
    ),
} as const;
