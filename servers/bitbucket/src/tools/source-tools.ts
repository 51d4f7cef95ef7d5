import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { change, commit, entry, hit } from '../api/model.ts';
import type { BitbucketContext } from '../bitbucket-context.ts';
import { bitbucketTool, type ToolNeeds } from './bitbucket-tool.ts';
import {
  cursorField,
  limitField,
  nextCursor,
  ownerField,
  pathField,
  refField,
  repositoryField,
  repositoryName,
  shownPage,
} from './fields.ts';
import { filePage } from './file-page.ts';
import { textPage } from './text-page.ts';

const readOnly = { readOnlyHint: true, idempotentHint: true } as const;
const atField = refField.optional().describe('A branch, tag or commit (default branch by default)');
export const lengthField = z
  .int()
  .min(200)
  .max(200_000)
  .default(20_000)
  .describe('Characters in one answer');

/** Tools about commits and files. */
export function sourceTools(context: BitbucketContext): readonly ToolDefinition[] {
  const { source } = context.api;
  const needs = (what: string, more: Partial<ToolNeeds> = {}): ToolNeeds => ({
    toolset: 'source',
    capability: 'source',
    permission: 'read',
    what,
    ...more,
  });
  return [
    bitbucketTool(context, needs('commits'), {
      name: 'list_commits',
      title: 'List commits',
      description: 'Lists commits, the newest first, of a branch or of one file.',
      annotations: readOnly,
      input: z.object({
        repository: repositoryField,
        at: atField,
        path: pathField.optional(),
        limit: limitField,
        cursor: cursorField,
      }),
      output: z.object({ commits: z.array(commit), next_cursor: nextCursor }),
      async handler({ repository, at, path, ...page }, { signal }) {
        const name = repositoryName(context, repository);
        const found = await source.listCommits(name, { at, path }, { ...page, signal });
        return shownPage('commits', found);
      },
    }),
    bitbucketTool(context, needs('commit'), {
      name: 'get_commit',
      title: 'Show a commit',
      description: 'Shows one commit with the files it changed.',
      annotations: readOnly,
      input: z.object({
        repository: repositoryField,
        commit: refField,
        limit: limitField,
        cursor: cursorField,
      }),
      output: z.object({ ...commit.shape, changes: z.array(change), next_cursor: nextCursor }),
      async handler({ repository, commit: id, ...page }, { signal }) {
        const name = repositoryName(context, repository);
        const [found, changes] = await Promise.all([
          source.getCommit(name, id, signal),
          source.listCommitChanges(name, id, { ...page, signal }),
        ]);
        return { ...found, ...shownPage('changes', changes) };
      },
    }),
    bitbucketTool(context, needs('file'), {
      name: 'get_file',
      title: 'Read a file',
      description: 'Reads a text file in pages; of a binary file only the size is told.',
      annotations: readOnly,
      input: z.object({
        repository: repositoryField,
        path: pathField.min(1),
        at: atField,
        start_line: z.int().min(1).optional(),
        max_length: lengthField,
        cursor: cursorField,
      }),
      output: z.object({
        path: z.string(),
        size: z.int(),
        is_binary: z.boolean().optional(),
        text: z.string().optional(),
        next_cursor: nextCursor,
      }),
      async handler({ repository, path, at, start_line, max_length, cursor }, { signal }) {
        const name = repositoryName(context, repository);
        const bytes = await source.getFile(name, { path, at }, signal);
        return { path, ...filePage(bytes, { start_line, max_length, cursor }) };
      },
    }),
    bitbucketTool(context, needs('folder'), {
      name: 'list_directory',
      title: 'List a folder',
      description: 'Lists files and folders of a folder of the repository.',
      annotations: readOnly,
      input: z.object({
        repository: repositoryField,
        path: pathField.default('').describe('The root by default'),
        at: atField,
        limit: limitField,
        cursor: cursorField,
      }),
      output: z.object({ entries: z.array(entry), next_cursor: nextCursor }),
      async handler({ repository, path, at, ...page }, { signal }) {
        const name = repositoryName(context, repository);
        const folder = { path: path.replace(/\/+$/, ''), at };
        return shownPage('entries', await source.listDirectory(name, folder, { ...page, signal }));
      },
    }),
    bitbucketTool(context, needs('code', { capability: 'code search' }), {
      name: 'search_code',
      title: 'Search in code',
      description: 'Finds text in the code of a repository, project or workspace.',
      annotations: readOnly,
      input: z.object({
        query: z.string().trim().min(1).max(500),
        repository: repositoryField.optional(),
        project: ownerField.describe('Data Center: project. Cloud: workspace'),
        limit: limitField,
        cursor: cursorField,
      }),
      output: z.object({ hits: z.array(hit), next_cursor: nextCursor }),
      async handler({ query, repository, project, ...page }, { signal }) {
        const scope = {
          text: query,
          owner: project ?? context.defaultOwner,
          repository: repository === undefined ? undefined : repositoryName(context, repository),
        };
        return shownPage('hits', await source.searchCode(scope, { ...page, signal }));
      },
    }),
    bitbucketTool(context, needs('comparison'), {
      name: 'compare',
      title: 'Compare two branches',
      description:
        'Shows what one branch, tag or commit has and another has not: changed files, commits or the diff.',
      annotations: readOnly,
      input: z.object({
        repository: repositoryField,
        from: refField.describe('The older side, such as main'),
        to: refField.describe('The side with the changes'),
        show: z.enum(['changes', 'commits', 'diff']).default('changes'),
        path: pathField.optional().describe('Only this file, for the diff'),
        limit: limitField,
        max_length: lengthField,
        cursor: cursorField,
      }),
      output: z.object({
        changes: z.array(change).optional(),
        commits: z.array(commit).optional(),
        diff: z.string().optional(),
        next_cursor: nextCursor,
      }),
      async handler(input, { signal }) {
        const { from, to, show, path, limit, cursor } = input;
        const name = repositoryName(context, input.repository);
        const page = { limit, cursor, signal };
        if (show === 'commits') {
          return shownPage('commits', await source.compareCommits(name, { from, to }, page));
        }
        if (show === 'changes') {
          return shownPage('changes', await source.compareChanges(name, { from, to }, page));
        }
        const diff = await source.compareDiff(name, { from, to, path }, signal);
        const { text, ...rest } = textPage(diff, input.max_length, cursor);
        return { diff: text, ...rest };
      },
    }),
  ];
}
