import { McpError, type ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { branch, project, repository } from '../api/model.ts';
import { settleWrite } from '../api/settle-write.ts';
import type { BitbucketContext } from '../bitbucket-context.ts';
import { bitbucketTool } from './bitbucket-tool.ts';
import {
  cursorField,
  limitField,
  nextCursor,
  ownerField,
  refField,
  repositoryField,
  repositoryName,
  shownPage,
} from './fields.ts';

const readOnly = { readOnlyHint: true, idempotentHint: true } as const;

/** Tools about projects, repositories and branches. */
export function repositoryTools(context: BitbucketContext): readonly ToolDefinition[] {
  const { api, defaultOwner } = context;
  const needs = (what: string, permission: 'read' | 'write' = 'read') =>
    ({ toolset: 'repositories', capability: 'repositories', permission, what }) as const;
  return [
    bitbucketTool(context, needs('list of projects'), {
      name: 'list_projects',
      title: 'List projects',
      description:
        'Lists projects; on Cloud those of a workspace, or the workspaces when none is named.',
      annotations: readOnly,
      input: z.object({
        name: z.string().trim().max(200).optional().describe('A part of the name'),
        workspace: ownerField.describe('Cloud: the workspace'),
        limit: limitField,
        cursor: cursorField,
      }),
      output: z.object({ projects: z.array(project), next_cursor: nextCursor }),
      async handler({ name, workspace = defaultOwner, ...page }, { signal }) {
        const query = { name, workspace };
        return shownPage(
          'projects',
          await api.repositories.listProjects(query, { ...page, signal }),
        );
      },
    }),
    bitbucketTool(context, needs('list of repositories'), {
      name: 'list_repositories',
      title: 'List repositories',
      description: 'Lists repositories of a project or workspace, or all that are visible.',
      annotations: readOnly,
      input: z.object({
        project: ownerField.describe(
          'Data Center: PROJECT or ~user. Cloud: workspace, or workspace/PROJECT',
        ),
        name: z.string().trim().max(200).optional().describe('A part of the name'),
        limit: limitField,
        cursor: cursorField,
      }),
      output: z.object({ repositories: z.array(repository), next_cursor: nextCursor }),
      async handler({ project: owner = defaultOwner, name, ...page }, { signal }) {
        const query = { project: owner, name };
        return shownPage(
          'repositories',
          await api.repositories.listRepositories(query, { ...page, signal }),
        );
      },
    }),
    bitbucketTool(context, needs('repository'), {
      name: 'get_repository',
      title: 'Show a repository',
      description: 'Shows one repository with its default branch.',
      annotations: readOnly,
      input: z.object({ repository: repositoryField }),
      output: repository,
      handler: ({ repository: name }, { signal }) =>
        api.repositories.getRepository(repositoryName(context, name), signal),
    }),
    bitbucketTool(context, needs('repository'), {
      name: 'list_branches',
      title: 'List branches',
      description: 'Lists branches with their newest commits.',
      annotations: readOnly,
      input: z.object({
        repository: repositoryField,
        filter: z.string().trim().max(200).optional().describe('A part of the name'),
        limit: limitField,
        cursor: cursorField,
      }),
      output: z.object({ branches: z.array(branch), next_cursor: nextCursor }),
      async handler({ repository: name, filter, ...page }, { signal }) {
        const found = await api.repositories.listBranches(
          repositoryName(context, name),
          { filter },
          { ...page, signal },
        );
        return shownPage('branches', found);
      },
    }),
    bitbucketTool(context, needs('repository', 'write'), {
      name: 'create_branch',
      title: 'Create a branch',
      description: 'Creates a branch at a commit or at the end of another branch.',
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      input: z.object({
        repository: repositoryField,
        name: refField.describe('The name of the new branch'),
        from: refField.describe('A branch, tag or commit'),
      }),
      output: branch,
      async handler({ repository: text, name, from }, { signal }) {
        const where = repositoryName(context, text);
        const before = await api.repositories.findBranch(where, name, signal);
        if (before !== undefined) {
          throw new McpError('conflict', `There is a branch ${name} already.`, {
            commit: before.commit,
          });
        }
        return await settleWrite(
          'create_branch',
          () => api.repositories.createBranch(where, { name, from }, signal),
          () => api.repositories.findBranch(where, name, signal),
        );
      },
    }),
  ];
}
