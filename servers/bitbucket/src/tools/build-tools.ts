import type { ToolDefinition } from '@errand/server-kit';
import * as z from 'zod';
import { build, pipeline, pipelineStep } from '../api/model.ts';
import { settleWrite } from '../api/settle-write.ts';
import type { BitbucketContext } from '../bitbucket-context.ts';
import { bitbucketTool, type ToolNeeds } from './bitbucket-tool.ts';
import {
  cursorField,
  limitField,
  nextCursor,
  pullRequestField,
  refField,
  repositoryField,
  repositoryName,
  shownPage,
} from './fields.ts';
import { lengthField } from './source-tools.ts';
import { textPage } from './text-page.ts';

const readOnly = { readOnlyHint: true, idempotentHint: true } as const;
const pipelineField = z
  .string()
  .trim()
  .regex(/^(\d{1,12}|\{?[0-9A-Fa-f-]{8,40}\}?)$/, 'this is no id or number of a pipeline')
  .describe('The id or the number of a pipeline');

const stepField = z
  .string()
  .trim()
  .regex(/^\{?[0-9A-Fa-f-]{8,40}\}?$/, 'this is no id of a step')
  .describe('The id of a step');

/** Tools about builds, and about pipelines where there are any. */
export function buildTools(context: BitbucketContext): readonly ToolDefinition[] {
  const { builds, pullRequests } = context.api;
  return [
    bitbucketTool(
      context,
      { toolset: 'builds', capability: 'builds', permission: 'read', what: 'commit' },
      {
        name: 'get_build_status',
        title: 'Show builds',
        description: 'Shows the builds of a commit, or of the newest commit of a pull request.',
        annotations: readOnly,
        input: z.object({
          repository: repositoryField,
          commit: refField.optional(),
          pull_request: pullRequestField.optional(),
          limit: limitField,
          cursor: cursorField,
        }),
        output: z.object({
          commit: z.string(),
          state: z.enum(['successful', 'failed', 'in_progress', 'none']),
          builds: z.array(build),
          next_cursor: nextCursor,
        }),
        async handler({ repository, commit: given, pull_request, ...rest }, { signal }) {
          const name = repositoryName(context, repository);
          const commit =
            pull_request === undefined
              ? (await context.api.source.getCommit(name, given ?? 'HEAD', signal)).id
              : ((await pullRequests.get({ ...name, id: pull_request }, signal)).source.commit ??
                '');
          const page = await builds.list(name, commit, { ...rest, signal });
          return { commit, state: summary(page.items), ...shownPage('builds', page) };
        },
      },
    ),
    ...pipelineTools(context),
  ];
}

function summary(
  builds: readonly { readonly state: string }[],
): 'failed' | 'in_progress' | 'none' | 'successful' {
  if (builds.length === 0) return 'none';
  const has = (...states: string[]) => builds.some(({ state }) => states.includes(state));
  if (has('failed', 'stopped')) return 'failed';
  return has('in_progress', 'unknown') ? 'in_progress' : 'successful';
}

function pipelineTools(context: BitbucketContext): readonly ToolDefinition[] {
  const { pipelines } = context.api;
  if (pipelines === undefined) return [];
  const needs = (permission: 'read' | 'write'): ToolNeeds => ({
    toolset: 'pipelines',
    serverTypes: ['cloud'],
    capability: 'pipelines',
    permission,
    what: 'pipeline',
  });
  return [
    bitbucketTool(context, needs('read'), {
      name: 'list_pipelines',
      title: 'List pipelines',
      description: 'Lists the pipelines of a repository, the newest first.',
      annotations: readOnly,
      input: z.object({ repository: repositoryField, limit: limitField, cursor: cursorField }),
      output: z.object({ pipelines: z.array(pipeline), next_cursor: nextCursor }),
      async handler({ repository, ...rest }, { signal }) {
        const name = repositoryName(context, repository);
        return shownPage('pipelines', await pipelines.list(name, { ...rest, signal }));
      },
    }),
    bitbucketTool(context, needs('read'), {
      name: 'get_pipeline',
      title: 'Show a pipeline',
      description: 'Shows a pipeline with its steps, and the log of one step in pages.',
      annotations: readOnly,
      input: z.object({
        repository: repositoryField,
        pipeline: pipelineField,
        log_of: stepField.optional(),
        max_length: lengthField,
        cursor: cursorField,
      }),
      output: z.object({
        ...pipeline.shape,
        steps: z.array(pipelineStep),
        log: z.string().optional(),
        next_cursor: nextCursor,
      }),
      async handler({ repository, pipeline: id, log_of, max_length, cursor }, { signal }) {
        const name = repositoryName(context, repository);
        const [found, steps] = await Promise.all([
          pipelines.get(name, id, signal),
          pipelines.listSteps(name, id, { limit: 100, signal }),
        ]);
        const shown = { ...found, steps: [...steps.items] };
        if (log_of === undefined) return shown;
        const log = await pipelines.log(name, id, log_of, signal);
        const { text, next_cursor } = textPage(log, max_length, cursor);
        return { ...shown, log: text, ...(next_cursor !== undefined && { next_cursor }) };
      },
    }),
    bitbucketTool(context, needs('write'), {
      name: 'run_pipeline',
      title: 'Run a pipeline',
      description: 'Starts the pipeline of a branch, or a custom pipeline, with variables.',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
      input: z.object({
        repository: repositoryField,
        branch: refField,
        pipeline: z.string().trim().min(1).max(200).optional().describe('A custom pipeline'),
        variables: z.record(z.string().max(200), z.string().max(10_000)).default({}),
      }),
      output: pipeline,
      async handler({ repository, branch, pipeline: custom, variables }, { signal }) {
        const name = repositoryName(context, repository);
        const newest = async () => (await pipelines.list(name, { limit: 1, signal })).items[0];
        const before = await newest();
        return await settleWrite(
          'run_pipeline',
          () => pipelines.run(name, { branch, pipeline: custom, variables }, signal),
          async () => {
            const now = await newest();
            return now?.ref === branch && now.number > (before?.number ?? 0) ? now : undefined;
          },
        );
      },
    }),
  ];
}
