import { describe, expect, test } from 'vitest';
import { openPullRequest, startPipeline } from './testing/double/change-world.ts';
import { editions } from './testing/start-bitbucket.ts';
import { useBitbucket } from './testing/use-bitbucket.ts';

describe.each(editions)('%s', (edition) => {
  const shared = useBitbucket(edition, ['--destructive']);

  test('shows the builds of a commit and of a pull request', async () => {
    const { bitbucket, call } = shared;
    const repository = await bitbucket.add('built');
    const main = await repository.git.commit('main', 'First', { 'a.txt': 'a' });
    const work = await repository.git.commit('work', 'Work', { 'b.txt': 'b' }, { from: 'main' });
    await openPullRequest(bitbucket.world, repository, {
      author: bitbucket.grace,
      title: 'Work',
      from: { repository, branch: 'work' },
      target: 'main',
    });
    const url = 'https://ci.example.org/1';
    repository.builds.set(main, [{ key: 'CI', name: 'Tests', state: 'SUCCESSFUL', url }]);
    repository.builds.set(work, [
      { key: 'CI', name: 'Tests', state: 'SUCCESSFUL', url },
      { key: 'LINT', name: 'Lint', state: 'FAILED', url },
    ]);
    const name = `${bitbucket.owner}/built`;
    expect(await call('get_build_status', { repository: name, commit: 'main' })).toMatchObject({
      commit: main,
      state: 'successful',
      builds: [{ key: 'CI', name: 'Tests', state: 'successful', url }],
    });
    expect(await call('get_build_status', { repository: name, pull_request: 1 })).toMatchObject({
      state: 'failed',
      builds: [{ state: 'successful' }, { state: 'failed' }],
    });
  });

  if (edition === 'data-center') {
    test('offers no pipelines, which only Cloud has', async () => {
      const { tools } = await shared.server.client.listTools();
      expect(tools.filter(({ name }) => name.includes('pipeline'))).toEqual([]);
    });
    return;
  }

  test('shows pipelines with steps and logs, and the end of a log that is very long', async () => {
    const { bitbucket, call } = shared;
    const repository = await bitbucket.add('piped');
    const commit = await repository.git.commit('main', 'First', { 'a.txt': 'a' });
    const long = 'a line of the log\n'.repeat(300_000);
    const made = startPipeline(repository, 'main', commit, 'FAILED', `${long}the end\n`);
    const name = `${bitbucket.owner}/piped`;
    const { pipelines } = await call('list_pipelines', { repository: name });
    expect(pipelines).toMatchObject([{ number: 1, state: 'completed', result: 'failed', commit }]);
    const shown = await call('get_pipeline', { repository: name, pipeline: made.uuid });
    expect(shown).toMatchObject({ id: made.uuid, steps: [{ name: 'Build', result: 'failed' }] });
    expect(await call('get_pipeline', { repository: name, pipeline: '1' })).toMatchObject({
      id: made.uuid,
    });
    const log = { repository: name, pipeline: made.uuid, log_of: shown.steps[0].id };
    const page = await call('get_pipeline', { ...log, max_length: 500 });
    expect(page.log.length).toBeLessThanOrEqual(500);
    expect(page.next_cursor).toBeDefined();
  });

  test('starts a pipeline once, also when the answer gets lost', async () => {
    const { bitbucket, call } = shared;
    const repository = await bitbucket.add('run');
    await repository.git.commit('main', 'First', { 'a.txt': 'a' });
    const run = { repository: `${bitbucket.owner}/run`, branch: 'main', variables: { A: 'b' } };
    expect(await call('run_pipeline', run)).toMatchObject({ number: 1, ref: 'main' });
    void bitbucket.proxy.fault({ method: 'POST', path: /pipelines$/ }, { kind: 'cut-after' });
    expect(await call('run_pipeline', run)).toMatchObject({ number: 2 });
    expect(repository.pipelines).toHaveLength(2);
    expect(await call('run_pipeline', { ...run, branch: 'nothing' })).toMatchObject({
      error: 'not_found',
    });
  });
});
