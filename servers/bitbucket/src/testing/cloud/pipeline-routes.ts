import type { Cloud, CloudPaths } from '../../cloud/cloud-client.ts';
import { startPipeline } from '../double/change-world.ts';
import { type Asked, Raw, type Routes } from '../double/routes.ts';
import { Refusal, type World, type WorldPipeline } from '../double/world.ts';
import { pageOf } from './show-world.ts';

const one = '/repositories/{workspace}/{repo_slug}';

/** Builds and pipelines as Cloud shows them. */
export function cloudPipelineRoutes(routes: Routes<CloudPaths>, world: World): void {
  const at = (path: Readonly<Record<string, string>>) =>
    world.repository(path.workspace ?? '', path.repo_slug ?? '');
  const pipelineAt = (path: Readonly<Record<string, string>>) => {
    const found = at(path).pipelines.find(
      ({ uuid, number }) => uuid === path.pipeline_uuid || String(number) === path.pipeline_uuid,
    );
    if (found === undefined) throw new Refusal(404, 'There is no such pipeline.');
    return found;
  };
  routes
    .on('get', `${one}/commit/{commit}/statuses`, async ({ path, url }) => {
      const { git, builds: all } = at(path);
      const builds = all.get(await git.resolve(path.commit ?? '')) ?? [];
      return pageOf(
        builds.map((build) => ({ type: 'build', ...build }) as unknown as Cloud<'commitstatus'>),
        url,
      );
    })
    .on('get', `${one}/pipelines`, ({ path, url }) =>
      pageOf([...at(path).pipelines].reverse().map(cloudPipeline), url),
    )
    .on('post', `${one}/pipelines`, async ({ path, body }) => {
      const repository = at(path);
      const { ref_name = '' } = (body?.target ?? {}) as { readonly ref_name?: string };
      const commit = await repository.git.find(`refs/heads/${ref_name}`);
      if (commit === undefined) throw new Refusal(404, `Branch ${ref_name} does not exist.`);
      return cloudPipeline(startPipeline(repository, ref_name, commit));
    })
    .on('get', `${one}/pipelines/{pipeline_uuid}`, ({ path }) => cloudPipeline(pipelineAt(path)))
    .on('get', `${one}/pipelines/{pipeline_uuid}/steps`, ({ path, url }) => {
      const { steps, result } = pipelineAt(path);
      return pageOf(
        steps.map(
          ({ uuid, name }) =>
            ({
              type: 'pipeline_step',
              uuid,
              name,
              state: stateOf(result),
            }) as unknown as Cloud<'pipeline_step'>,
        ),
        url,
      );
    })
    .onUndescribed(
      'get',
      `${one}/pipelines/{pipeline_uuid}/steps/{step_uuid}/log`,
      ({ path, headers }: Asked<never>) => {
        const step = pipelineAt(path).steps.find(({ uuid }) => uuid === path.step_uuid);
        if (step === undefined) throw new Refusal(404, 'There is no such step.');
        const bytes = Buffer.from(step.log);
        const end = /^bytes=-(\d+)$/.exec(headers.range ?? '')?.[1];
        if (end === undefined) return new Raw(200, bytes);
        return new Raw(206, bytes.subarray(-Number(end)));
      },
    );
}

function stateOf(result: WorldPipeline['result']) {
  return result === undefined
    ? { type: 'pipeline_state_in_progress', name: 'IN_PROGRESS' }
    : { type: 'pipeline_state_completed', name: 'COMPLETED', result: { name: result } };
}

function cloudPipeline(pipeline: WorldPipeline): Cloud<'pipeline'> {
  return {
    type: 'pipeline',
    uuid: pipeline.uuid,
    build_number: pipeline.number,
    created_on: new Date(pipeline.created).toISOString(),
    state: stateOf(pipeline.result),
    target: {
      type: 'pipeline_ref_target',
      ref_type: 'branch',
      ref_name: pipeline.branch,
      commit: { type: 'commit', hash: pipeline.commit },
    },
  } as unknown as Cloud<'pipeline'>;
}
