import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { openAskVault } from './ask-vault.ts';
import { patient, TestVault } from './errand-process.ts';

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
  'of five actions two work at a time; when their owner is killed these are told as lost, and the others run once',
  patient,
  async () => {
    using vault = await TestVault.agreed();
    vault.env.MCP_MAX_CONCURRENT_ACTIONS = '2';
    const tools = ['hang', 'hang', 'echo', 'echo', 'echo'];
    const text = { toolParam: 'text', source: 'literal', value: 'hi' };
    const mappings = (tool: string) => (tool === 'echo' ? [text] : []);
    const hooks = tools.map((toolName, index) => ({
      id: `h${index}`,
      name: `Hook ${index}`,
      trigger: { kind: 'mail', events: ['sent'] },
      actions: [
        {
          type: 'mcp',
          parameters: { serverId: 'fix', toolName, parameterMappings: mappings(toolName) },
        },
      ],
    }));
    writeFileSync(vault.path('.errand/hooks.json'), JSON.stringify({ version: 1, hooks }));
    await vault.errand('trust', '--yes');
    const calls = () =>
      readJournal(vault.journal).flatMap(({ kind, tool }) => (kind === 'call' ? [tool] : []));
    using first = vault.start('up', '--json');
    await first.says(/"state":"connected"/);
    await vault.errand('hooks', 'emit', 'mail', 'mail.event=sent');
    await expect.poll(calls, { timeout: 60_000 }).toEqual(['hang', 'hang']);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const left = (await vault.json('jobs')).json as { jobs: { state: string }[] };
    expect(left).toMatchObject({ isOwned: false });
    expect(left.jobs.map(({ state }) => state)).toEqual(Array(5).fill('running'));
    using second = vault.start('up', '--json');
    await second.says(/A run of the hook \\"Hook 0\\" was cut off/);
    await second.says(/("status":"success"[\s\S]*){3}/);
    const log = (await vault.json('hooks', 'log')).json as { runs: { hookName: string }[] };
    expect(log.runs.toSorted((a, b) => (a.hookName < b.hookName ? -1 : 1))).toMatchObject([
      { status: 'lost', actions: [{ code: 'interrupted' }] },
      { status: 'lost', actions: [{ code: 'interrupted' }] },
      { status: 'success' },
      { status: 'success' },
      { status: 'success' },
    ]);
    expect(calls()).toEqual(tools);
    second.child.kill('SIGTERM');
    await second.ended;
  },
);

test(
  'a person at a terminal is asked what a hook is, and told what is wrong with a file of hooks',
  patient,
  async () => {
    using vault = await TestVault.agreed();
    using asked = vault.startOnTerminal('errand hooks add');
    const answers: readonly (readonly [RegExp, string])[] = [
      [/Runs on \(file, git/, 'file'],
      [/Files, for example/, 'Inbox/*.md'],
      [/Tool to call, as SERVER\/TOOL/, 'fix/echo'],
      [/Parameter, as NAME=VALUE/, 'text=New: {{ fileName }}'],
      [/(Parameter[\s\S]*){2}/, ''],
      [/Name: /, 'Greets'],
    ];
    for (const [question, answer] of answers) {
      await asked.says(question);
      asked.type(`${answer}\r`);
    }
    expect(await asked.ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Added Greets \(never ran\)\. .*errand up/),
    });
    expect((await vault.json('hooks')).json).toMatchObject({
      hooks: [
        {
          name: 'Greets',
          verdict: 'trusted',
          trigger: { kind: 'file', glob: 'Inbox/*.md' },
          actions: [
            {
              type: 'mcp',
              parameters: {
                toolName: 'echo',
                parameterMappings: [
                  { toolParam: 'text', source: 'template', value: 'New: {{ fileName }}' },
                ],
              },
            },
          ],
        },
      ],
    });
    const broken = [{ id: 'b', name: 'Broken', trigger: { kind: 'sunrise' }, actions: [] }];
    writeFileSync(vault.path('.errand/hooks.json'), JSON.stringify({ version: 1, hooks: broken }));
    expect(await vault.errand('hooks')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('No hook of .errand/hooks.json can be used.'),
      stderr: expect.stringMatching(/\.errand\/hooks\.json:1:\d+: Broken: /),
    });
    expect(await vault.json('hooks')).toMatchObject({
      code: 2,
      json: { hooks: [], problems: [{}, {}] },
    });
    expect(await vault.errand('hooks', 'why', 'Broken')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^The hook "Broken" cannot be used\. \.errand\/hooks\.json:1:\d+: /,
      ),
    });
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
  expect((await vault.errand('hooks', 'remove', 'broken')).stderr).toContain(
    'The hook "broken" cannot be used. .errand/hooks.json:1:180:',
  );
  // Who renames a hook has not looked at what it does.
  const renamed = await vault.json('hooks', 'edit', 'Stranger', '--name', 'A stranger');
  expect(renamed.json).toMatchObject({ name: 'A stranger', verdict: 'untrusted' });
  expect((await vault.errand('trust', 'a stranger')).stderr).toContain(
    "errand trust 'a stranger' --yes",
  );
  const write = (actions: readonly object[]) =>
    writeFileSync(
      vault.path('.errand/hooks.json'),
      JSON.stringify({ version: 1, hooks: [{ ...hook, actions }, { id: 'broken' }] }),
    );
  write([action]);
  // What is agreed to is what was shown, also when the file changes before the answer.
  using asked = vault.startOnTerminal('errand trust stranger');
  await asked.says(/Let this vault use them/);
  const other = { ...action, parameters: { ...action.parameters, toolName: 'hang' } };
  write([other]);
  asked.type('y\r');
  await asked.ended;
  expect((await vault.json('hooks')).json).toMatchObject({ hooks: [{ verdict: 'changed' }] });
  write([action]);
  await vault.errand('trust', '--revoke', 'stranger');
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
    // Saves right after each other, and a file that the program itself makes.
    const onChapter = ['--on', 'file', '--glob', 'Chapters/*.md'] as const;
    await vault.errand(...add, 'Packs', ...onChapter, '--', 'tar', 'cf', 'all.tar', 'Chapters');
    mkdirSync(vault.path('Chapters'));
    for (const [index, times] of ['{1}', '{2}', '{3}'].entries()) {
      // The clock of files ticks every few milliseconds: a save in the tick in which the program ended counts as its own.
      await sleep(50);
      writeFileSync(vault.path('Chapters/one.md'), 'word '.repeat(index + 1));
      await up.says(new RegExp(`("hook":"Packs"[^\n]*"status":"success"[\\s\\S]*)${times}`));
    }
    git('add', '-A');
    git('commit', '-qm', 'first');
    await up.says(/"hook":"Commits"[^\n]*"status":"success"/);
    expect(fixture.calls()).toMatchObject([{ tool: 'echo' }]);
    up.child.kill('SIGTERM');
    await up.ended;
  },
);

test(
  'a chain ends that goes through a program which calls errand: a call, a note, an emitted event, a run',
  patient,
  async () => {
    using vault = await TestVault.agreed(
      {},
      { notes: { 'N.md': '```fix\ntool: echo\ntext: n\n```\n' } },
    );
    const onEcho = ['--on', 'call', '--tool', 'echo'] as const;
    const shell = (script: string) =>
      ['--', 'sh', '-c', script.replaceAll('errand', vault.commandLine())] as const;
    await vault.errand(...add, 'Calls', ...onEcho, ...shell('errand call fix echo text=again'));
    await vault.errand(...add, 'Notes', ...onEcho, ...shell('errand run N.md --again'));
    await vault.errand(
      ...add,
      'Emits',
      ...onEcho,
      ...shell('errand hooks emit call call.tool=echo'),
    );
    await vault.errand(...add, 'Runs', '--on', 'manual', ...shell('errand hooks run Runs'));
    using up = vault.start('up', '--json');
    await up.says(/"state":"connected"/);
    await vault.errand('call', 'fix', 'echo', 'text=first');
    for (const name of ['Calls', 'Notes', 'Emits']) {
      await up.says(new RegExp(`"hook":"${name}"[^\n]*"status":"success"`));
      await up.says(new RegExp(`"hook":"${name}"[^\n]*caused by this hook itself`));
    }
    expect(await vault.json('hooks', 'run', 'Runs')).toMatchObject({
      code: 1,
      json: { run: { message: expect.stringContaining('caused by this hook itself') } },
    });
    const chains = (await vault.json('hooks', 'log', '--limit', '100')).json as {
      readonly runs: readonly { readonly chain: { readonly hooks: readonly string[] } }[];
    };
    for (const { chain } of chains.runs) expect(new Set(chain.hooks).size).toBe(chain.hooks.length);
    up.child.kill('SIGTERM');
    await up.ended;
  },
);
