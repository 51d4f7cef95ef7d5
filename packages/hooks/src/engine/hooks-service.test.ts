import { expect, test } from 'vitest';
import { fileEvent, openTestEngine, testHook } from '../testing/open-engine.ts';
import { HooksService } from './hooks-service.ts';

const { signal } = new AbortController();

async function open(...[hooks, options]: Parameters<typeof openTestEngine>) {
  const made = await openTestEngine(hooks, options);
  const service = new HooksService({ ...made.ports, engine: made.engine, host: noServers });
  const ask = (method: string, params: object = {}) => service.answer(method, params, signal);
  return { ...made, ask };
}

const noServers = {
  servers: { settings: { mcpServers: [], assistants: [] }, lastTools: () => undefined },
} as never;

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
  const events = [{ kind: 'runs' }, { kind: 'condition', actual: 'Inbox/a.md' }];
  const skipped = [{ message: 'The event was caused by this hook itself.' }];
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
