import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { journalled, readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { openAskVault } from './ask-vault.ts';
import { eventually, patient, TestVault } from './errand-process.ts';

const add = ['hooks', 'add'] as const;

test(
  'a hook is added, tested, run by an event in the owner, logged and explained, and the jobs behind it are shown',
  patient,
  async () => {
    using vault = await TestVault.agreed();
    const echo = ['--call', 'fix/echo', '--set', 'text={{ call.tool }} failed'] as const;
    const on = ['--on', 'call', '--status', 'error', '--if', 'call.source!=hook'] as const;
    expect(await vault.json(...add, 'Failures', ...on, ...echo)).toMatchObject({
      code: 0,
      json: { name: 'Failures', verdict: 'trusted', trigger: { kind: 'call', status: ['error'] } },
    });
    expect(await vault.json('hooks', 'run', 'Failures')).toMatchObject({
      code: 2,
      json: { error: { message: expect.stringContaining('errand up') } },
    });
    expect(await vault.errand('hooks', 'why', 'Nobody')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^There is no hook "Nobody"\./),
    });
    using up = vault.start('up', '--json');
    await up.says(/"state":"connected"/);
    expect((await vault.json('hooks', 'why', 'Failures')).json).toMatchObject({
      isOwned: true,
      example: { kind: 'call' },
    });
    await vault.errand('call', 'fix', 'no_such_tool');
    await up.says(/"event":"hook"[^\n]*"status":"success"/);
    const { json } = await vault.json('hooks', 'log');
    expect(json).toMatchObject({
      runs: [
        {
          hookName: 'Failures',
          status: 'success',
          event: { kind: 'call', fields: { call: { tool: 'no_such_tool' } } },
          actions: [
            {
              type: 'mcp',
              output: 'no_such_tool failed',
              parameterResolutions: { text: 'no_such_tool failed' },
            },
          ],
        },
      ],
    });
    const [{ id }] = (json as { runs: [{ id: string }] }).runs;
    expect((await vault.errand('hooks', 'rerun', id.slice(0, 8))).code).toBe(0);
    expect((await vault.json('jobs', 'show', id.slice(0, 8))).json).toMatchObject({
      isOwned: true,
      job: { state: 'done', steps: [{ name: 'action 1: mcp', state: 'done' }] },
    });
    expect((await vault.json('hooks', 'test', 'Failures')).json).toMatchObject({
      origin: 'recorded',
      wouldRun: true,
      actions: [{ resolved: { text: 'no_such_tool failed' }, problems: [] }],
    });
    await vault.errand('hooks', 'disable', 'Failures');
    await vault.errand('call', 'fix', 'no_such_tool');
    expect((await vault.json('hooks')).json).toMatchObject({
      hooks: [{ enabled: false, executionCount: 2 }],
    });
    up.child.kill('SIGTERM');
    expect((await up.ended).code).toBe(0);
    expect((await vault.json('jobs')).json).toMatchObject({ isOwned: false, jobs: [{}, {}] });
  },
);

test(
  'an owner that is killed in the middle of an action does not do it twice, and tells the run as lost',
  patient,
  async () => {
    using vault = await TestVault.agreed();
    await vault.errand(...add, 'Hangs', '--on', 'manual', '--call', 'fix/hang');
    using first = vault.start('up', '--json');
    await first.says(/"state":"connected"/);
    await vault.errand('hooks', 'run', 'Hangs', '--detach');
    await journalled(vault.journal, ({ tool }) => tool === 'hang', eventually());
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    expect((await vault.json('jobs')).json).toMatchObject({
      isOwned: false,
      jobs: [{ state: 'running' }],
    });
    using second = vault.start('up', '--json');
    await second.says(/A run of the hook \\"Hangs\\" was cut off/);
    expect((await vault.json('hooks', 'log')).json).toMatchObject({
      runs: [{ status: 'lost', actions: [{ code: 'interrupted' }] }],
    });
    const hangs = readJournal(vault.journal).filter(
      ({ kind, tool }) => kind === 'call' && tool === 'hang',
    );
    expect(hangs).toHaveLength(1);
    second.child.kill('SIGTERM');
    await second.ended;
  },
);

test('a hook that came with the vault runs after somebody agreed to it', patient, async () => {
  using vault = await TestVault.agreed();
  const action = {
    type: 'mcp',
    parameters: { serverId: 'fix', toolName: 'echo', parameterMappings: [] },
  };
  const hook = { id: 'h', name: 'Stranger', trigger: { kind: 'manual' }, actions: [action] };
  writeFileSync(
    vault.path('.errand/hooks.json'),
    JSON.stringify({ version: 1, hooks: [hook, { id: 'broken' }] }),
  );
  using up = vault.start('up', '--json');
  await up.says(/"state":"connected"/);
  expect(await vault.json('hooks', 'run', 'Stranger')).toMatchObject({
    code: 2,
    json: {
      error: { message: expect.stringContaining('nobody on this machine has agreed to it') },
    },
  });
  expect((await vault.json('hooks')).json).toMatchObject({
    hooks: [{ name: 'Stranger', verdict: 'untrusted' }],
    problems: [{ line: 1, column: 180, hookId: 'broken' }, {}, {}],
  });
  expect((await vault.json('trust', 'stranger', '--yes')).json).toMatchObject({
    hooks: [
      {
        name: 'Stranger',
        verdict: 'trusted',
        does: ['when: when asked', 'then: call echo of fix', 'mode: queued'],
      },
    ],
  });
  expect((await vault.json('hooks', 'run', 'Stranger')).json).not.toHaveProperty('error');
  up.child.kill('SIGTERM');
  await up.ended;
});

test(
  'a saved file and a commit run hooks, one asks an assistant, and a loop ends',
  patient,
  async () => {
    await using fixture = await openAskVault([{ text: ['Noted.'] }, { text: ['Noted.'] }]);
    const { vault, model } = fixture;
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], {
        cwd: vault.folder,
      });
    git('init', '-q', '-b', 'main');
    const [{ name = '' } = {}] =
      (vault.settings() as { assistants?: { name: string }[] }).assistants ?? [];
    const onFile = ['--on', 'file', '--glob', 'Inbox/*.md', '--events', 'created'] as const;
    await vault.errand(...add, 'Asks', ...onFile, '--ask', name, '--prompt', 'Read {{ fileName }}');
    await vault.errand(...add, 'Loops', ...onFile, '--', 'sh', '-c', 'echo > Inbox/again-$$.md');
    await vault.errand(
      ...add,
      'Commits',
      '--on',
      'git',
      '--branch',
      'main',
      '--call',
      'fix/echo',
      '--set',
      'text={{ branch }}',
    );
    using up = vault.start('up', '--json');
    await up.says(/"event":"ready"/);
    // Sources are ready when hooks answer.
    await vault.errand('hooks');
    mkdirSync(vault.path('Inbox'));
    writeFileSync(vault.path('Inbox/a.md'), 'A');
    await up.says(/"hook":"Loops"[^\n]*"status":"success"/);
    await up.says(/"hook":"Loops"[^\n]*"status":"skipped"[^\n]*caused by this hook itself/);
    await up.says(/"hook":"Asks"[^\n]*"status":"success"/);
    expect(JSON.stringify(model.requests[0]?.body)).toContain('Read a.md');
    git('add', '-A');
    git('commit', '-qm', 'first');
    await up.says(/"hook":"Commits"[^\n]*"status":"success"/);
    expect(fixture.calls()).toMatchObject([{ tool: 'echo' }]);
    up.child.kill('SIGTERM');
    await up.ended;
  },
);
