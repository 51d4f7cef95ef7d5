import { memoryStore, StoredJobs } from '@errand/jobs';
import { expect, test } from 'vitest';
import { parseHooks } from '../definitions/parse-hooks.ts';
import type { ActionOutcome } from '../hook-run.ts';
import { heldActions, testHook } from '../testing/open-engine.ts';
import { beforePlan, openTestService as open } from '../testing/open-service.ts';
import type { HookEngine } from './hook-engine.ts';

const stopping = { type: 'custom', onError: 'stop', parameters: { command: 'true' } };
const told = {
  phase: 'begin',
  program: 'claude',
  session: 's',
  agent: 'speckit',
  operation: 'plan',
  patience: 60_000,
};

test.each<[string, ActionOutcome, object, object]>([
  ['a success', { status: 'success' }, {}, { runs: [expect.any(String)] }],
  [
    'an action that had nothing to do',
    { status: 'skipped', code: 'nothing_to_do', message: 'Nothing to commit.' },
    {},
    { runs: [expect.any(String)] },
  ],
  [
    'an action that could not be carried out',
    { status: 'skipped', code: 'server_disabled', message: 'Server "x" is disabled.' },
    {},
    {
      runs: [expect.any(String)],
      denial: 'The hook "Hook" stopped this: Server "x" is disabled.',
    },
  ],
  [
    'a failure that stops',
    { status: 'failure', message: 'token abc is wrong' },
    {},
    { runs: [expect.any(String)], denial: 'The hook "Hook" stopped this: token *** is wrong' },
  ],
  [
    'a failure that does not stop',
    { status: 'failure' },
    { actions: [{ ...stopping, onError: 'continue' }] },
    { runs: [expect.any(String)] },
  ],
  [
    'a hook that is not waited for',
    { status: 'failure' },
    { trigger: { ...beforePlan, waitForCompletion: false } },
    { runs: [expect.any(String)] },
  ],
])('an agent that waits is answered: %s', async (_, outcome, change, verdict) => {
  const hook = testHook({ trigger: beforePlan, actions: [stopping], ...change });
  await using made = await open([hook], { run: async () => outcome });
  expect(await made.ask('bridge', told)).toEqual(verdict);
});

const notRun = 'The hook "Hook" guards this operation but did not run.';
const guard = () => testHook({ trigger: beforePlan, actions: [stopping], mode: 'single' });

test('a guard that is busy denies, and lets agents through when it is free again', async () => {
  const { held, run } = heldActions();
  await using made = await open([guard()], { run });
  const first = made.ask('bridge', told);
  await expect.poll(() => held).toHaveLength(1);
  expect(await made.ask('bridge', { ...told, session: 'other' })).toEqual({
    runs: [],
    denial: `${notRun} The hook was still running.`,
    advice: [{ kind: 'try-again' }, { kind: 'disable-hook', hook: 'Hook' }],
  });
  held[0]?.end();
  expect(await first).toEqual({ runs: [expect.any(String)] });
});

test('a guard that ran too often denies, until somebody enables or disables it', async () => {
  await using made = await open([{ ...guard(), runsPerHour: 1 }]);
  const ask = (session: string) => made.ask('bridge', { ...told, session });
  expect(await ask('a')).toEqual({ runs: [expect.any(String)] });
  const advice = [
    { kind: 'enable-hook', hook: 'Hook' },
    { kind: 'disable-hook', hook: 'Hook' },
  ];
  const denial = expect.stringContaining(`${notRun} The hook "Hook" ran 1 times in an hour`);
  expect(await ask('b')).toEqual({ runs: [], denial, advice });
  const paused = `${notRun} The hook is paused because it ran too often.`;
  expect(await ask('c')).toEqual({ runs: [], denial: paused, advice });
  await made.ask('set-enabled', { hook: 'Hook', enabled: true });
  expect(await ask('d')).toEqual({ runs: [expect.any(String)] });
  expect(await ask('e')).toMatchObject({ denial: expect.any(String) });
  await made.ask('set-enabled', { hook: 'Hook', enabled: false });
  expect(await ask('f')).toEqual({ runs: [] });
});

test.each([
  ['untrusted', 'It came with this vault, and nobody on this machine has agreed to it.'],
  ['changed', 'It changed since it was agreed to.'],
] as const)('a guard that is %s denies whatever its conditions say', async (verdict, why) => {
  const conditions = [{ field: 'branch', equals: 'elsewhere' }];
  await using made = await open([{ ...guard(), conditions }], { verdict: () => verdict });
  expect(await made.ask('bridge', told)).toEqual({
    runs: [],
    denial: `${notRun} ${why}`,
    advice: [{ kind: 'review-trust' }, { kind: 'disable-hook', hook: 'Hook' }],
  });
});

test('a guard whose conditions do not hold lets agents through', async () => {
  const conditions = [{ field: 'operation', equals: 'tasks' }];
  await using made = await open([{ ...guard(), conditions }]);
  expect(await made.ask('bridge', told)).toEqual({ runs: [] });
});

test('a hook that stops nothing lets agents through when it cannot run', async () => {
  const hook = testHook({ trigger: beforePlan });
  await using made = await open([hook], { verdict: () => 'untrusted' });
  expect(await made.ask('bridge', told)).toEqual({ runs: [] });
});

test('a guard denies what its own chain began', async () => {
  await using made = await open([guard()]);
  const chain = { id: 'c', depth: 1, hooks: ['h1'] };
  expect(await made.ask('bridge', { ...told, chain })).toMatchObject({
    denial: `${notRun} The event was caused by this hook itself.`,
  });
});

test('a guard that is not agreed to any more when its turn comes denies', async () => {
  const { held, run } = heldActions();
  let verdict: 'trusted' | 'changed' = 'trusted';
  await using made = await open([{ ...guard(), mode: 'queued' }], { run, verdict: () => verdict });
  const first = made.ask('bridge', told);
  await expect.poll(() => held).toHaveLength(1);
  const second = made.ask('bridge', { ...told, session: 'other' });
  await expect.poll(() => made.engine.active('h1')).toBe(2);
  verdict = 'changed';
  held[0]?.end();
  await first;
  expect(await second).toMatchObject({
    denial: expect.stringContaining('The hook changed, or its approval was withdrawn'),
  });
});

test('a guard whose run cannot be stored denies', async () => {
  const openJobs = (engine: HookEngine) => {
    const jobs = StoredJobs.open(memoryStore(), { flows: { hook: engine.flow }, drainMs: 100 });
    jobs.start = async () => {
      throw new Error('The disk is full.');
    };
    return jobs;
  };
  await using made = await open([guard()], { openJobs });
  expect(await made.ask('bridge', told)).toMatchObject({
    denial: `${notRun} The disk is full.`,
  });
});

test.each([
  ['a file that is no JSON', '{'],
  ['an entry with a mistake', JSON.stringify({ hooks: [{ ...guard(), mode: 'never' }] })],
])('%s denies, because a guard may stand in it', async (_, text) => {
  await using made = await open([]);
  made.ports.store.load = async () => parseHooks(text);
  await made.ask('reload');
  expect(await made.ask('bridge', told)).toMatchObject({
    denial: expect.stringContaining('.errand/hooks.json:1:'),
  });
});

test('a broken entry that guards nothing lets agents through', async () => {
  await using made = await open([]);
  const broken = { ...testHook(), mode: 'never' };
  const text = JSON.stringify({ hooks: [broken, { ...guard(), enabled: false, mode: 'never' }] });
  made.ports.store.load = async () => parseHooks(text);
  await made.ask('reload');
  expect(await made.ask('bridge', told)).toEqual({ runs: [] });
});

test('two hooks of one agent make one run, and a prompt that was denied runs again', async () => {
  const hook = testHook({ trigger: beforePlan, actions: [stopping] });
  await using made = await open([hook], { run: async () => ({ status: 'failure' }) });
  const answers = await Promise.all([made.ask('bridge', told), made.ask('bridge', told)]);
  expect(answers[0]).toEqual(answers[1]);
  expect(made.log).toHaveLength(1);
  await made.ask('bridge', told);
  expect(made.log).toHaveLength(2);
});

test('a run is cancelled when the agent goes away, or has no more time, and then denies', async () => {
  const { held, run } = heldActions();
  const hook = testHook({ trigger: beforePlan, actions: [stopping], mode: 'parallel' });
  await using made = await open([hook], { run });
  const agent = new AbortController();
  const waiting = made.service.answer('bridge', told, agent.signal);
  await expect.poll(() => held).toHaveLength(1);
  agent.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await expect.poll(() => made.log).toMatchObject([{ status: 'cancelled' }]);
  expect(await made.ask('bridge', { ...told, session: 't', patience: 0 })).toMatchObject({
    denial: 'The hook "Hook" stopped this: It did not end in time.',
  });
});

test.each([
  { ...told, program: 'emacs' },
  { ...told, operation: 'constructor' },
  { ...told, agent: 'x' },
  {},
])('what no agent says is refused: %j', async (params) => {
  await using made = await open([]);
  await expect(made.ask('bridge', params)).rejects.toMatchObject({ code: 'invalid' });
});
