import { ServiceError } from '@errand/server-kit';
import type { Pipelines } from '../api/bitbucket-api.ts';
import type { Pipeline, PipelineStep } from '../api/model.ts';
import { plainText } from '../api/typed-client.ts';
import type { Cloud, CloudClient } from './cloud-client.ts';
import { isoTime } from './cloud-model.ts';
import { listPages } from './cloud-pages.ts';
import { addressOf } from './cloud-repositories.ts';

const all = '/repositories/{workspace}/{repo_slug}/pipelines';
const one = `${all}/{pipeline_uuid}` as const;

/** Logs that are longer are read from their end. */
const mostLogBytes = 4 * 1024 * 1024;

/** Pipelines of Cloud. */
export function cloudPipelines(client: CloudClient): Pipelines {
  return {
    list(name, page) {
      const { signal } = page;
      return listPages(
        page,
        ['pipelines', name],
        { sort: '-created_on' },
        (query) => client.ask('get', all, { path: addressOf(name), query, signal }),
        showPipeline,
      );
    },
    async get(name, id, signal) {
      const path = { ...addressOf(name), pipeline_uuid: id };
      return showPipeline(await client.ask('get', one, { path, signal }));
    },
    listSteps(name, id, page) {
      const { signal } = page;
      return listPages(
        page,
        ['steps', name, id],
        {},
        (query) =>
          client.ask('get', `${one}/steps`, {
            path: { ...addressOf(name), pipeline_uuid: id },
            query,
            signal,
          }),
        showStep,
      );
    },
    async log(name, id, step, signal) {
      const path = { ...addressOf(name), pipeline_uuid: id, step_uuid: step };
      const read = (headers: Readonly<Record<string, string>>) =>
        client.fetch('get', `${one}/steps/{step_uuid}/log`, {
          path,
          headers: { accept: '*/*', ...headers },
          signal,
          maxBytes: mostLogBytes,
        });
      try {
        return plainText(await read({}));
      } catch (error) {
        if (!(error instanceof ServiceError && error.kind === 'too_large')) throw error;
        return plainText(await read({ range: `bytes=-${mostLogBytes}` }));
      }
    },
    async run(name, { branch, pipeline, variables }, signal) {
      const body = {
        type: 'pipeline',
        target: {
          type: 'pipeline_ref_target',
          ref_type: 'branch',
          ref_name: branch,
          ...(pipeline !== undefined && { selector: { type: 'custom', pattern: pipeline } }),
        },
        variables: Object.entries(variables).map(([key, value]) => ({
          type: 'pipeline_variable',
          key,
          value,
        })),
      };
      const started = await client.ask('post', all, {
        path: addressOf(name),
        body: body as Cloud<'pipeline'>,
        signal,
      });
      return showPipeline(started);
    },
  };
}

interface PipelineState {
  readonly name?: string;
  readonly result?: { readonly name?: string };
  readonly stage?: { readonly name?: string };
}

function stateOf(state: unknown) {
  const { name = 'UNKNOWN', result, stage } = (state ?? {}) as PipelineState;
  const shown = stage?.name ?? name;
  return {
    state: shown.toLowerCase(),
    ...(result?.name && { result: result.name.toLowerCase() }),
  };
}

function showPipeline(pipeline: Cloud<'pipeline'>): Pipeline {
  const { uuid = '', build_number = 0, created_on, completed_on } = pipeline;
  const { ref_name, commit } = (pipeline.target ?? {}) as {
    readonly ref_name?: string;
    readonly commit?: { readonly hash?: string };
  };
  const seconds = pipeline.build_seconds_used;
  return {
    id: uuid,
    number: build_number,
    ...stateOf(pipeline.state),
    ...(ref_name && { ref: ref_name }),
    ...(commit?.hash && { commit: commit.hash }),
    created: isoTime(created_on),
    ...(completed_on && { completed: isoTime(completed_on) }),
    ...(seconds !== undefined && { duration_seconds: seconds }),
  };
}

function showStep(step: Cloud<'pipeline_step'>): PipelineStep {
  const { uuid = '' } = step;
  const { name = uuid, duration_in_seconds } = step as {
    readonly name?: string;
    readonly duration_in_seconds?: number;
  };
  return {
    id: uuid,
    name,
    ...stateOf(step.state),
    ...(duration_in_seconds !== undefined && { duration_seconds: duration_in_seconds }),
  };
}
