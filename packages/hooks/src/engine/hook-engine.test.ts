import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoredJobs, sqliteStore } from '@errand/jobs';
import { expect, test } from 'vitest';
import type { ActionOutcome } from '../hook-run.ts';
import { ChainTracker } from '../sources/chain-tracker.ts';
import { fileEvent, heldActions, openTestEngine, testHook } from '../testing/open-engine.ts';
import type { HookEngine } from './hook-engine.ts';

const statuses = (log: readonly { readonly status: string }[]) => log.map(({ status }) => status);
const custom = { type: 'custom', parameters: { command: 'true' } };

test('an event runs the hooks that wait for it, once, however often it is told', async () => {
  const other = testHook({ id: 'h2', name: 'Other', trigger: { kind: 'manual' } });
  await using made = await openTestEngine([testHook(), other]);
  const event = fileEvent();
  for (let told = 0; told < 3; told += 1) void made.engine.emit(event);
  void made.engine.emit(fileEvent('Elsewhere/a.md'));
  await expect.poll(() => made.log).toHaveLength(1);
  expect(made.log[0]).toMatchObject({
    hookId: 'h1',
    hookName: 'Hook',
    status: 'success',
    event: { id: event.id },
    chain: { depth: 1, hooks: ['h1'] },
    actions: [{ type: 'custom', status: 'success', durationMs: 0 }],
  });
  expect(made.engine.records.of('h1')).toMatchObject({
    executionCount: 1,
    lastExecutedAt: 1_000_000,
    lastRun: { status: 'success' },
  });
});

test('the eleventh hook of one event runs: siblings are no chain', async () => {
  const hooks = Array.from({ length: 30 }, (_, n) => testHook({ id: `h${n}`, name: `Hook ${n}` }));
  await using made = await openTestEngine(hooks);
  void made.engine.emit(fileEvent());
  await expect.poll(() => made.log).toHaveLength(30);
  expect(new Set(statuses(made.log))).toEqual(new Set(['success']));
});

test('conditions keep a hook from running', async () => {
  const hook = testHook({ conditions: [{ field: 'filePath', equals: 'Inbox/b.md' }] });
  await using made = await openTestEngine([hook]);
  void made.engine.emit(fileEvent('Inbox/a.md'));
  void made.engine.emit(fileEvent('Inbox/b.md'));
  await expect.poll(() => made.log).toHaveLength(1);
  expect(made.log[0]?.event.fields).toMatchObject({ filePath: 'Inbox/b.md' });
});

test('an event that a hook caused itself, and the end of a long chain, run nothing and are logged', async () => {
  await using made = await openTestEngine([testHook()]);
  void made.engine.emit(fileEvent('Inbox/a.md', { chain: { id: 'c', depth: 1, hooks: ['h1'] } }));
  void made.engine.emit(fileEvent('Inbox/a.md', { chain: { id: 'd', depth: 10, hooks: ['x'] } }));
  void made.engine.emit(fileEvent('Inbox/a.md', { chain: { id: 'e', depth: 9, hooks: ['x'] } }));
  await expect.poll(() => made.log).toHaveLength(3);
  expect(made.log).toMatchObject([
    { status: 'skipped', message: 'The event was caused by this hook itself.' },
    { status: 'skipped', message: 'The event is the end of a chain of 10 runs.' },
    { status: 'success', chain: { id: 'e', depth: 10, hooks: ['x', 'h1'] } },
  ]);
});

test('files that change meanwhile belong to an action only where it may have written them', async () => {
  const tracker = new ChainTracker({ monotonic: () => 0, now: () => 0 });
  const { held, run } = heldActions();
  const mayWrite = (_: unknown, path: string) => path.startsWith('Out/');
  await using made = await openTestEngine([testHook()], { run, mayWrite, chains: tracker });
  void made.engine.emit(fileEvent());
  await expect.poll(() => held).toHaveLength(1);
  expect(tracker.ofFile('Out/a.md', { at: 0 })).toMatchObject({ depth: 1, hooks: ['h1'] });
  expect(tracker.ofFile('Inbox/b.md', { at: 0 })).toBeUndefined();
  held[0]?.end();
  await expect.poll(() => made.log).toHaveLength(1);
});

test.each<[string | undefined, boolean, boolean, boolean]>([
  [undefined, true, true, true],
  ['nothing', false, false, false],
  ['Log/*.md', true, false, false],
])('an action that says it writes %s', async (writes, log, inbox, repository) => {
  const tracker = new ChainTracker({ monotonic: () => 0, now: () => 0 });
  const { held, run } = heldActions();
  const parameters = { command: 'x', ...(writes && { writes }) };
  const hook = testHook({ actions: [{ type: 'custom', parameters }] });
  await using made = await openTestEngine([hook], { run, chains: tracker });
  void made.engine.emit(fileEvent());
  await expect.poll(() => held).toHaveLength(1);
  const seen = [
    tracker.ofFile('Log/a.md', { at: 0 }),
    tracker.ofFile('Inbox/b.md', { at: 0 }),
    tracker.ofRepository({ at: 0 }),
  ];
  expect(seen.map((chain) => chain !== undefined)).toEqual([log, inbox, repository]);
  held[0]?.end();
  await expect.poll(() => made.log).toHaveLength(1);
});

test.each([
  ['single', { mode: 'single' }, 1, ['skipped', 'success']],
  ['queued', { mode: 'queued' }, 1, ['success', 'success', 'success']],
  ['parallel', { mode: 'parallel', max: 2 }, 2, ['success', 'success', 'success']],
])('mode %s', async (_, change, atOnce, ended) => {
  const { held, run } = heldActions();
  await using made = await openTestEngine([testHook(change)], { run });
  for (let count = 0; count < 3; count += 1) void made.engine.emit(fileEvent());
  await expect.poll(() => held.length).toBe(atOnce);
  await expect
    .poll(async () => (await made.engine.runs({ limit: 10 })).length)
    .toBe(change.mode === 'single' ? 2 : 3);
  for (let index = 0; index < ended.filter((each) => each === 'success').length; index += 1) {
    await expect.poll(() => held.length).toBeGreaterThan(index);
    held[index]?.end();
  }
  // A second drop is told once the runs are over, as a number.
  await expect.poll(() => statuses(made.log).slice(0, ended.length)).toEqual(ended);
  if (change.mode === 'single') {
    expect(made.log.at(-1)?.message).toBe(
      'The hook was still running. So were 1 further events dropped.',
    );
  }
});

test('mode restart cancels the run that works, and the newest event runs', async () => {
  const { held, run } = heldActions();
  await using made = await openTestEngine([testHook({ mode: 'restart' })], { run });
  void made.engine.emit(fileEvent('Inbox/1.md'));
  await expect.poll(() => held.length).toBe(1);
  void made.engine.emit(fileEvent('Inbox/2.md'));
  await expect.poll(() => held.length).toBe(2);
  expect(held[0]?.context.signal.aborted).toBe(true);
  held[1]?.end();
  await expect.poll(() => made.log).toHaveLength(2);
  expect(made.log).toMatchObject([
    { status: 'cancelled' },
    { status: 'success', event: { fields: { filePath: 'Inbox/2.md' } } },
  ]);
});

test('beyond 100 waiting runs events are dropped, and their number is told', async () => {
  const { held, run } = heldActions();
  const hook = testHook({ runsPerHour: 1_000 });
  await using made = await openTestEngine([hook], { run });
  for (let count = 0; count < 111; count += 1) void made.engine.emit(fileEvent());
  await expect.poll(() => held.length).toBe(1);
  await expect.poll(() => made.engine.recent.of('file').length).toBe(50);
  await expect.poll(() => made.log.length).toBe(1);
  expect(made.log[0]).toMatchObject({
    status: 'skipped',
    message: '100 runs of the hook were waiting already.',
  });
  await made.clock.advance(10_000);
  expect(made.log[1]?.message).toContain('9 further events');
  for (const { id } of await made.engine.runs({ limit: 200 })) await made.engine.cancel(id);
  await expect
    .poll(() => statuses(made.log).filter((each) => each === 'cancelled').length)
    .toBe(101);
});

test('at most five actions work at once, and every hook gets its turn', async () => {
  const { held, run } = heldActions();
  const busy = testHook({
    id: 'busy',
    name: 'Busy',
    mode: 'parallel',
    max: 50,
    runsPerHour: 1_000,
  });
  await using made = await openTestEngine([busy, testHook({ id: 'calm', name: 'Calm' })], { run });
  const forBusy = (n: number) => fileEvent(`Inbox/${n}.md`, { hookId: 'busy' });
  for (let count = 0; count < 20; count += 1) void made.engine.emit(forBusy(count));
  await expect.poll(() => held.length).toBe(5);
  void made.engine.emit(fileEvent('Inbox/calm.md', { hookId: 'calm' }));
  await expect.poll(() => made.engine.runs({ limit: 50 }).then((runs) => runs.length)).toBe(21);
  for (let index = 0; index < 21; index += 1) {
    await expect.poll(() => held.length).toBeGreaterThan(index);
    expect(held.length - index).toBeLessThanOrEqual(5);
    held[index]?.end();
  }
  await expect.poll(() => made.log).toHaveLength(21);
  const turn = held.findIndex(({ context }) => context.hook.id === 'calm');
  expect(turn).toBeLessThan(8);
});

test('after 60 runs in an hour a hook is paused and says so, until it is enabled again', async () => {
  await using made = await openTestEngine([testHook()]);
  for (let count = 0; count < 70; count += 1) void made.engine.emit(fileEvent());
  await expect.poll(() => statuses(made.log).filter((each) => each === 'success').length).toBe(60);
  await expect
    .poll(() => made.notices)
    .toMatchObject([
      {
        message: 'The hook "Hook" ran 60 times in an hour and is paused until it is enabled again.',
      },
    ]);
  expect(made.engine.records.of('h1').pausedAt).toBe(1_000_000);
  await made.engine.setEnabled('h1', true);
  void made.engine.emit(fileEvent());
  await expect.poll(() => statuses(made.log).filter((each) => each === 'success').length).toBe(61);
  await made.clock.advance(1_000);
  expect(made.saved().h1).toMatchObject({ executionCount: 61 });
});

test('a transient failure is tried once more, any other never', async () => {
  const outcomes: ActionOutcome[] = [
    { status: 'failure', isTransient: true, message: 'busy' },
    { status: 'success', output: 1 },
    { status: 'failure', isTransient: true, message: 'busy' },
    { status: 'timeout', isTransient: true, message: 'still busy' },
    { status: 'failure', message: 'wrong' },
  ];
  const run = async () => outcomes.shift() ?? { status: 'success' as const };
  await using made = await openTestEngine([testHook()], { run });
  for (let count = 0; count < 3; count += 1) void made.engine.emit(fileEvent());
  await expect.poll(() => made.log).toHaveLength(3);
  expect(made.log).toMatchObject([
    { status: 'success', actions: [{ output: 1 }] },
    { status: 'timeout', message: 'still busy' },
    { status: 'failure', message: 'wrong' },
  ]);
  expect(made.begun).toHaveLength(5);
  expect(await made.jobs.list({ state: 'failed' })).toMatchObject([
    { error: { message: 'wrong' } },
    { error: { message: 'still busy' } },
  ]);
  // A person who retries the job has the failed action carried out again.
  for (const { id } of await made.jobs.list({ state: 'failed' })) await made.jobs.retry(id);
  await expect.poll(() => statuses(made.log).slice(3)).toEqual(['success', 'success']);
  expect(made.begun).toHaveLength(7);
});

test('later actions read the results of earlier ones, and onError decides whether they run', async () => {
  const outcome: ActionOutcome = { status: 'failure', message: 'no', output: { n: 1 } };
  const run = async () => outcome;
  const hooks = [
    testHook({ actions: [custom, custom] }),
    testHook({ id: 'h2', name: 'Stops', actions: [{ ...custom, onError: 'stop' }, custom] }),
  ];
  await using made = await openTestEngine(hooks, { run });
  void made.engine.emit(fileEvent());
  await expect.poll(() => made.log).toHaveLength(2);
  expect(made.log.map(({ hookId, actions }) => [hookId, actions.length]).sort()).toEqual([
    ['h1', 2],
    ['h2', 1],
  ]);
  const second = made.begun.find(({ fields }) => (fields.actions as unknown[]).length === 1);
  expect(second?.fields.actions).toEqual([{ status: 'failure', output: { n: 1 } }]);
});

test('an output that is too long is cut, and kept in a file', async () => {
  const run = async () => ({ status: 'success' as const, output: 'x'.repeat(1_500_000) });
  await using made = await openTestEngine([testHook()], { run });
  void made.engine.emit(fileEvent());
  await expect.poll(() => made.log).toHaveLength(1);
  const [action] = made.log[0]?.actions ?? [];
  expect(action?.outputFile).toMatch(/^\.errand\/log\/results\/\w+-1$/);
  expect(action?.output).toHaveLength(1_000_000);
});

test('a hook that nobody agreed to, or that changed, does not run and says so once', async () => {
  const verdicts = { h1: 'untrusted', h2: 'changed' } as const;
  const hooks = [testHook(), testHook({ id: 'h2', name: 'Changed' })];
  await using made = await openTestEngine(hooks, {
    verdict: ({ id }) => verdicts[id as 'h1' | 'h2'],
  });
  expect(made.source()?.wanted()).toEqual([]);
  for (let count = 0; count < 3; count += 1) void made.engine.emit(fileEvent());
  await expect.poll(() => made.notices).toHaveLength(2);
  expect(made.notices.map(({ message }) => message)).toEqual([
    'The hook "Hook" does not run: it came with this vault, and nobody on this machine has agreed to it.',
    'The hook "Changed" does not run: it changed since it was agreed to.',
  ]);
  await expect(made.engine.run('h1')).rejects.toMatchObject({ code: 'untrusted' });
  expect(made.begun).toEqual([]);
});

test('a person runs a hook now, cancels it, and runs it again for the same event', async () => {
  const { held, run } = heldActions();
  const hook = testHook({ enabled: false, conditions: [{ field: 'filePath', equals: 'x' }] });
  await using made = await openTestEngine([hook], { run });
  const started = await made.engine.run('h1', { note: 'A.md' });
  await expect.poll(() => held.length).toBe(1);
  expect(await made.engine.cancel(started.id)).toBe(true);
  expect(await made.engine.ended(started.id)).toMatchObject({ status: 'cancelled' });
  expect(await made.engine.cancel(started.id)).toBe(false);
  const again = await made.engine.rerun(started.id);
  await expect.poll(() => held.length).toBe(2);
  held[1]?.end();
  expect(await made.engine.ended(again.id)).toMatchObject({
    status: 'success',
    event: { fields: { note: 'A.md' } },
  });
  await expect(made.engine.run('nobody')).rejects.toMatchObject({ code: 'unknown_hook' });
  await expect(made.engine.rerun('nothing')).rejects.toMatchObject({ code: 'unknown_run' });
});

test('whether somebody agreed is looked up once for all sources, until hooks or agreements change', async () => {
  let looked = 0;
  const verdict = () => {
    looked += 1;
    return 'trusted' as const;
  };
  await using made = await openTestEngine([testHook()], { verdict });
  for (let count = 0; count < 10; count += 1) {
    expect(made.source()?.wanted()).toMatchObject([{ hookId: 'h1' }]);
  }
  expect(looked).toBe(1);
  await made.engine.reload();
  made.source()?.wanted();
  expect(looked).toBe(2);
});

test('changed hooks count from then on, and sources are told', async () => {
  await using made = await openTestEngine([]);
  made.setHooks([testHook()]);
  await expect.poll(() => made.refreshed()).toBe(1);
  expect(made.source()?.wanted()).toMatchObject([{ hookId: 'h1' }]);
  await made.engine.setEnabled('h1', false);
  expect(made.source()?.wanted()).toEqual([]);
  void made.engine.emit(fileEvent());
  expect(await made.engine.runs({ limit: 10 })).toEqual([]);
});

test.each([
  ['that may be repeated runs again after a crash', true, ['success'], 2],
  ['that may not is told as lost, and the rest does not run', false, ['lost'], 1],
])('an action %s', async (_, isRepeatable, ended, begun) => {
  const folder = mkdtempSync(join(tmpdir(), 'errand-hooks-'));
  try {
    const file = join(folder, 'jobs.sqlite');
    // A drain of no time leaves jobs as a killed program does.
    const openJobs = (engine: HookEngine) =>
      StoredJobs.open(sqliteStore(file), { flows: { hook: engine.flow }, drainMs: 0 });
    const hook = testHook({ actions: [custom, custom] });
    const event = fileEvent();
    {
      const run = () => new Promise<never>(() => undefined);
      await using first = await openTestEngine([hook], { run, openJobs, isRepeatable });
      void first.engine.emit(event);
      await expect.poll(() => first.begun).toHaveLength(1);
    }
    await using second = await openTestEngine([hook], { openJobs, isRepeatable });
    void second.engine.emit(event);
    await expect.poll(() => statuses(second.log)).toEqual(ended);
    expect(second.begun).toHaveLength(begun === 2 ? 2 : 0);
    expect(second.log[0]?.actions).toHaveLength(begun);
    if (!isRepeatable) expect(second.notices[0]?.message).toContain('was cut off');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each<[string, Parameters<typeof openTestEngine>, string]>([
  ['was removed', [[]], 'The hook was removed before this run ended.'],
  [
    'is no longer agreed to',
    [[testHook()], { verdict: () => 'changed' }],
    'The hook changed, or its approval was withdrawn, before this run ended.',
  ],
])('a stored run whose hook %s is skipped', async (_, [hooks, options], message) => {
  const folder = mkdtempSync(join(tmpdir(), 'errand-hooks-'));
  try {
    const file = join(folder, 'jobs.sqlite');
    const openJobs = (engine: HookEngine) =>
      StoredJobs.open(sqliteStore(file), { flows: { hook: engine.flow }, drainMs: 0 });
    {
      const run = () => new Promise<never>(() => undefined);
      await using first = await openTestEngine([testHook()], { run, openJobs });
      for (let count = 0; count < 2; count += 1) void first.engine.emit(fileEvent());
      await expect.poll(() => first.jobs.list({ state: 'queued' })).toHaveLength(1);
      await expect.poll(() => first.begun).toHaveLength(1);
    }
    await using second = await openTestEngine(hooks, { ...options, openJobs });
    await expect.poll(() => second.log).toMatchObject([{ message }, { message }]);
    expect(statuses(second.log)).toEqual(['skipped', 'skipped']);
    expect(second.begun).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
