import { expect, test } from 'vitest';
import { fileEvent, testHook } from '../testing/open-engine.ts';
import { beforePlan, openTestService as open } from '../testing/open-service.ts';
import type { HooksMethods, HookView } from './hooks-methods.ts';

test('hooks are listed with what is known of them, found by name, switched, run and waited for', async () => {
  await using made = await open([testHook()]);
  const { run } = (await made.ask('run', { hook: 'hOOK', fields: { a: 1 } })) as never;
  expect(await made.ask('wait', { run: (run as { id: string }).id })).toMatchObject({
    run: { status: 'success', event: { kind: 'manual', fields: { a: 1 } } },
  });
  expect(await made.ask('list')).toMatchObject({
    problems: [],
    hooks: [
      { hook: { name: 'Hook' }, verdict: 'trusted', executionCount: 1, active: 0, faults: [] },
    ],
  });
  expect(await made.ask('set-enabled', { hook: 'Hook', enabled: false })).toMatchObject({
    hook: { enabled: false },
  });
  expect(await made.ask('runs', { hook: 'Hook' })).toMatchObject({ runs: [{ status: 'success' }] });
});

test('an event of another program runs what it fits, and says which runs began', async () => {
  await using made = await open([testHook()]);
  const { id: _, ...event } = fileEvent();
  const answer = (await made.ask('emit', { event })) as { runs: readonly string[] };
  expect(answer.runs).toHaveLength(1);
  const elsewhere = { ...event, fields: { file: { path: 'x', event: 'created' } } };
  expect(await made.ask('emit', { event: elsewhere })).toMatchObject({ runs: [] });
  expect(await made.ask('emit', { event: { ...event, id: 'same' } })).toMatchObject({
    eventId: 'same',
  });
});

test('why names the condition that failed, what was skipped, or an example of an event', async () => {
  const hook = testHook({ conditions: [{ field: 'filePath', equals: 'Inbox/b.md' }] });
  await using made = await open([hook]);
  expect(await made.ask('why', { hook: 'Hook' })).toMatchObject({
    events: [],
    example: { fields: { filePath: 'Inbox/example.md' } },
  });
  made.engine.emit(fileEvent('Inbox/a.md'));
  made.engine.emit(fileEvent('Inbox/b.md', { chain: { id: 'c', depth: 1, hooks: ['h1'] } }));
  await expect.poll(() => made.log).toHaveLength(1);
  const message = 'The event was caused by this hook itself.';
  const skipped = [{ message }];
  const events = [
    { kind: 'runs', run: { status: 'skipped', message } },
    { kind: 'condition', actual: 'Inbox/a.md' },
  ];
  const { events: told, ...rest } = (await made.ask('why', {
    hook: 'Hook',
  })) as Record<string, unknown>;
  expect(rest).toMatchObject({ isEnabled: true, verdict: 'trusted', skipped });
  expect(told).toEqual(expect.arrayContaining(events.map((each) => expect.objectContaining(each))));
});

test('a dry run takes a given event, the last one, or an example, and carries nothing out', async () => {
  await using made = await open([testHook()], { verdict: () => 'changed' });
  const test1 = {
    origin: 'example',
    wouldRun: true,
    verdict: 'changed',
    actions: [{ type: 'custom' }],
  };
  expect(await made.ask('test', { hook: 'Hook' })).toMatchObject(test1);
  made.engine.emit(fileEvent('Inbox/last.md'));
  expect(await made.ask('test', { hook: 'Hook' })).toMatchObject({
    origin: 'recorded',
    event: { fields: { filePath: 'Inbox/last.md' } },
  });
  const event = { kind: 'file', fields: { file: { path: 'x', event: 'created' } } };
  expect(await made.ask('test', { hook: 'Hook', event })).toMatchObject({
    origin: 'given',
    wouldRun: false,
    mismatch: { field: 'file.path' },
  });
  expect(made.begun).toEqual([]);
});

test('a hook is stored by who made it, changed only as it was seen, approved and removed', async () => {
  await using made = await open([testHook()]);
  const made1 = { ...testHook(), name: 'Second', id: undefined };
  const { view } = (await made.ask('save', { hook: made1 })) as { view: HookView };
  expect(made.engine.hooks.map(({ name }) => name)).toEqual(['Hook', 'Second']);
  const changed = { ...view.hook, name: 'Third', mode: 'single' };
  expect(await made.ask('save', { hook: changed, seen: view.seen })).toMatchObject({
    view: { hook: { id: view.hook.id, name: 'Third' } },
  });
  await expect(made.ask('save', { hook: changed, seen: view.seen })).rejects.toThrow('elsewhere');
  expect(await made.ask('save', { hook: { ...changed, name: 'hook' } })).toMatchObject({
    mistakes: { name: expect.stringContaining('Another hook') },
  });
  const stale = made.ask('agree', { hooks: [{ hook: 'Hook', seen: 'x' }] });
  await expect(stale).rejects.toThrow('not what was shown');
  const { hooks } = (await made.ask('list')) as { hooks: readonly HookView[] };
  await made.ask('agree', { hooks: [{ hook: 'Hook', seen: hooks[0]?.seen }] });
  await made.ask('remove', { hook: 'Third' });
  expect(made.agreed).toEqual(['Second', 'Third', 'Hook', '-Third']);
  expect(await made.ask('options')).toMatchObject({ assistants: ['Claude'] });
  expect(await made.ask('discover')).toEqual({ servers: [] });
});

test('a preview names what is missing of a draft, and tries the rest', async () => {
  await using made = await open([testHook()]);
  const { trigger } = testHook();
  const draft = {
    name: '',
    trigger,
    conditions: [{ field: 'filePath', glob: '**' }, { field: '' }],
    actions: [
      { type: 'mcp', parameters: { serverId: '', toolName: '', parameterMappings: [] } },
      { type: 'custom', parameters: { command: 'true' } },
    ],
  };
  expect(await made.ask('preview', { draft })).toMatchObject({
    origin: 'example',
    mistakes: { name: 'Write a name.', 'actions.0.parameters.toolName': "Write a tool's name." },
    conditions: [{ holds: true }],
    actions: [{ type: 'mcp', problems: [expect.anything(), expect.anything()] }, { problems: [] }],
    proposals: [[], []],
    fieldNames: expect.arrayContaining(['branch', 'file.path']),
  });
  expect(await made.ask('preview', { draft: 3 })).toMatchObject({ actions: [] });
  expect(made.begun).toEqual([]);
});

test.each([
  ['nothing', {}, 'Hooks do not know "nothing".'],
  ['run', { hook: 'nobody' }, 'There is no hook "nobody".'],
  ['rerun', { run: 'abc' }, 'There is no run "abc".'],
  ['emit', { event: { kind: 'party' } }, 'An event has a kind'],
  ['constructor', {}, 'Hooks do not know'],
])('%s %j is refused with a reason', async (method, params, message) => {
  await using made = await open([testHook()]);
  await expect(made.ask(method, params)).rejects.toThrow(message);
});

test('a hook on a beginning that nobody tells of says so, until a bridge or an event is there', async () => {
  let isBridged = false;
  const hook = testHook({ trigger: beforePlan });
  await using made = await open(
    [hook, testHook({ id: 'h2', name: 'Other' })],
    {},
    async () => isBridged,
  );
  const codes = async () => {
    const { hooks } = (await made.ask('list')) as HooksMethods['list']['result'];
    return hooks.flatMap(({ faults }) => faults.map(({ code, advice }) => [code, advice[0]?.kind]));
  };
  expect(await codes()).toEqual([['never_told', 'install-bridge']]);
  expect(await made.ask('why', { hook: 'Hook' })).toMatchObject({
    faults: [{ code: 'never_told' }],
  });
  await made.ask('run', { hook: 'Hook' });
  expect(await codes()).toHaveLength(1);
  isBridged = true;
  expect(await codes()).toEqual([]);
  isBridged = false;
  const { kind, waitForCompletion: _, ...fields } = beforePlan;
  await made.ask('emit', { event: { kind, fields } });
  expect(await codes()).toEqual([]);
});
