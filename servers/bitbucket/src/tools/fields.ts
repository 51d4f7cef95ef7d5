import { McpError } from '@errand/server-kit';
import * as z from 'zod';
import type { Page, PullRequestName, RepositoryName } from '../api/bitbucket-api.ts';
import type { BitbucketContext } from '../bitbucket-context.ts';

/** A part of an address: anything but what would lead elsewhere. */
const segment = /^(?!\.{1,2}$)[^/\\\p{C}\s?#]{1,255}$/u;

/** A repository as it is written in a note. */
export const repositoryField = z
  .string()
  .trim()
  .refine((text) => {
    const parts = text.split('/');
    return parts.length <= 2 && parts.every((part) => segment.test(part));
  }, 'write PROJECT/repository on Data Center, workspace/repository on Cloud')
  .describe(
    'PROJECT/repository (Data Center, ~user/repository too) or workspace/repository (Cloud)',
  );

export const pullRequestField = z.int().min(1).describe('The number of the pull request');

export const ownerField = z
  .string()
  .trim()
  .refine((text) => text.split('/').length <= 2 && text.split('/').every((x) => segment.test(x)), {
    message: 'this is no project or workspace',
  })
  .optional();

/** A path inside a repository. */
export const pathField = z
  .string()
  .max(4096)
  .refine(
    (path) => path.isWellFormed() && !/(^|\/)\.{1,2}(\/|$)|^\/|\0/.test(path),
    'write it from the root of the repository, without a leading slash, . and ..',
  );

export const refField = z
  .string()
  .trim()
  .min(1)
  .max(500)
  // Git knows no name with two dots, and an address would lead elsewhere by them.
  .refine((ref) => !/^-|^\.$|\.\.|\p{C}/u.test(ref), 'this is no branch, tag or commit');

/** The id of a person, as answers give it. */
export const personField = z.string().trim().min(1).max(200);

export const textField = z.string().min(1).max(32_768);

export const limitField = z.int().min(1).max(100).default(25);
export const cursorField = z
  .string()
  .trim()
  .min(1)
  .max(4000)
  .optional()
  .describe('next_cursor of the page before');
export const nextCursor = z.string().optional();
export const versionField = z
  .string()
  .trim()
  .max(100)
  .optional()
  .describe('The version that you have read; the call is refused when there is a newer one');

/** The repository that a call names. */
export function repositoryName(
  { defaultOwner, facts }: Pick<BitbucketContext, 'defaultOwner' | 'facts'>,
  text: string,
): RepositoryName {
  const [first = '', second] = text.split('/');
  if (second !== undefined) return { owner: first, slug: second };
  if (defaultOwner !== undefined) return { owner: defaultOwner, slug: first };
  const owner = facts.edition === 'cloud' ? 'workspace' : 'PROJECT';
  throw new McpError(
    'invalid_input',
    `"${text}" does not say whose it is. Write ${owner}/${text}, or set BITBUCKET_PROJECT.`,
  );
}

/** The pull request that a call names. */
export function requestName(
  context: Pick<BitbucketContext, 'defaultOwner' | 'facts'>,
  input: { readonly repository: string; readonly pull_request: number },
): PullRequestName {
  return { ...repositoryName(context, input.repository), id: input.pull_request };
}

/** A page of a list as tools show it. */
export function shownPage<Key extends string, Item>(
  key: Key,
  { items, nextCursor: next }: Page<Item>,
): { readonly [K in Key]: Item[] } & { readonly next_cursor?: string } {
  const list = { [key]: [...items] } as { readonly [K in Key]: Item[] };
  return { ...list, ...(next !== undefined && { next_cursor: next }) };
}
