import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHost, type HostPorts, type ServerConfig } from '@errand/host';
import {
  createMemorySettingsStore,
  localServer,
  MemoryCallLog,
  memoryHost,
  untilAborted,
} from '@errand/host/testing';
import { LocalConnector } from '@errand/machine/mcp';
import {
  journalled,
  readJournal,
  type ServerScript,
  scriptedServerConfig,
  temporaryFolder,
} from '@errand/machine/testing';
import { expect, test } from 'vitest';
import type { ActionContext } from '../hook-run.ts';
import type { ActionOf } from '../hook-schema.ts';
import { actionContext } from '../testing/action-fixture.ts';
import { mcpRunner } from './mcp-action.ts';

type Parameters = Partial<ActionOf<'mcp'>['parameters']>;
type Mapping = ActionOf<'mcp'>['parameters']['parameterMappings'][number];

const literal = (toolParam: string, value: string): Mapping => ({
  toolParam,
  source: 'literal',
  value,
});

const action = (parameters: Parameters): ActionOf<'mcp'> => ({
  type: 'mcp',
  parameters: { serverId: 'a', toolName: 'echo', parameterMappings: [], ...parameters },
});

const patience = () => AbortSignal.timeout(10_000);

/** A host with one real server process, called "a". */
async function fixture(
  script: ServerScript = {},
  entry: Partial<ServerConfig> = {},
  ports: Partial<HostPorts> = {},
) {
  const folder = await temporaryFolder();
  const journal = join(folder.path, 'journal');
  writeFileSync(journal, '');
  const server = scriptedServerConfig({ journal, ...script }, { id: 'a', name: 'Alpha', ...entry });
  const notices: unknown[] = [];
  const notifier = { notify: (notice: unknown) => void notices.push(notice) };
  const settings = createMemorySettingsStore(JSON.stringify({ version: 1, mcpServers: [server] }));
  const local = new LocalConnector({
    host: { name: 'test', version: '0.0.0', vaultFolder: folder.path, eras: new Map(), notifier },
    childrenFolder: join(folder.path, 'children'),
    neutralFolder: join(folder.path, 'empty'),
  });
  const log = new MemoryCallLog();
  const host = await createHost({ settings, connectors: { local }, notifier, log, ...ports });
  const runner = mcpRunner(host);
  return {
    folder: folder.path,
    journal,
    host,
    log,
    settings,
    calls: () => readJournal(journal).filter(({ kind }) => kind === 'call'),
    isRepeatable: (parameters: Parameters) => runner.isRepeatable(action(parameters)),
    run: (parameters: Parameters, change: Partial<ActionContext> = {}) =>
      runner.run(action(parameters), actionContext(change)),
    preview: (parameters: Parameters, change: Partial<ActionContext> = {}) =>
      runner.preview(action(parameters), actionContext(change)),
    [Symbol.asyncDispose]: async () => {
      await host[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const typedTool = {
  name: 'typed',
  inputSchema: {
    type: 'object',
    properties: {
      count: { type: 'integer' },
      isOn: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      more: { type: 'object' },
      text: { type: 'string', maxLength: 20 },
      from: { type: 'object' },
    },
    required: ['count'],
  },
};

test('calls the tool in the session of the chain, with parameters typed by the schema', async () => {
  await using it = await fixture({ tools: [typedTool] });
  const sessions = new Set<string>();
  it.host.events.subscribe((event) => {
    if (event.kind === 'call-started') sessions.add(event.request.sessionId);
  });
  const outcome = await it.run(
    {
      serverId: 'ALPHA',
      toolName: 'typed',
      parameterMappings: [
        literal('count', '5'),
        literal('isOn', 'true'),
        literal('tags', '["a","b"]'),
        literal('more', '{"deep":[1]}'),
        { toolParam: 'text', source: 'template', value: '{{ feature }} is ready' },
        { toolParam: 'from', source: 'context', value: 'file' },
      ],
    },
    { fields: { feature: 'plan', file: { path: 'a.md' } } },
  );
  const parameters = {
    count: 5,
    isOn: true,
    tags: ['a', 'b'],
    more: { deep: [1] },
    text: 'plan is ready',
    from: { path: 'a.md' },
  };
  expect(outcome).toMatchObject({
    status: 'success',
    parameterResolutions: parameters,
    mcpServerStatus: { a: 'available' },
  });
  expect(it.calls()).toMatchObject([{ tool: 'typed', arguments: parameters }]);
  expect(it.log.records).toMatchObject([{ source: 'hook' }]);
  expect([...sessions]).toEqual(['hook:chain-1']);
});

test('gives later actions the structured answer, or the text', async () => {
  await using it = await fixture();
  expect((await it.run({ toolName: 'structured' })).output).toMatchObject({ sum: 3 });
  const echo = await it.run({ parameterMappings: [literal('text', 'hello')] });
  expect(echo.output).toBe('hello');
});

test('fault 5 of the origin: literals become what the schema asks for, and constructor is no field', async () => {
  await using it = await fixture({ tools: [typedTool] });
  for (const [mapping, message] of [
    [literal('count', 'five'), /count/],
    [
      { toolParam: 'count', source: 'context', value: 'constructor' },
      /no context field "constructor"/,
    ],
    [{ toolParam: 'count', source: 'template', value: '{{ constructor }}' }, /constructor/],
  ] as const) {
    const outcome = await it.run({ toolName: 'typed', parameterMappings: [mapping] });
    expect(outcome).toMatchObject({
      status: 'failure',
      code: 'invalid_params',
      message: expect.stringMatching(message),
    });
    expect(outcome.isTransient).toBeUndefined();
  }
  // What the mapping cannot see, the check of the executor does.
  const long = [literal('count', '1'), literal('text', 'x'.repeat(21))];
  expect(await it.run({ toolName: 'typed', parameterMappings: long })).toMatchObject({
    status: 'failure',
    code: 'invalid_params',
  });
  expect(it.calls()).toEqual([]);
});

test('fault 3 of the origin: a server or tool that is missing is found out before the call', async () => {
  await using it = await fixture();
  expect(await it.run({ serverId: 'gone' })).toMatchObject({
    status: 'failure',
    code: 'server_unknown',
    message: expect.stringContaining('Registered: Alpha'),
    mcpServerStatus: { gone: 'unknown' },
  });
  const outcome = await it.run({ toolName: 'ecko' });
  expect(outcome).toMatchObject({
    status: 'failure',
    code: 'tool_not_found',
    message: expect.stringContaining('Did you mean "echo"?'),
  });
  expect(outcome.isTransient).toBeUndefined();
});

test('fault 1 of the origin: a timeout of 60 s is 60 s', async () => {
  await using memory = await memoryHost([localServer('a')]);
  const { host, clock, connector } = memory;
  connector.behaviours.set('a', { call: (_, { signal }) => untilAborted(signal) });
  const parameterMappings = [literal('text', 'x')];
  const running = mcpRunner(host).run(
    action({ parameterMappings, timeout: 60_000 }),
    actionContext(),
  );
  let isOver = false;
  void running.then(() => {
    isOver = true;
  });
  await expect.poll(() => host.tracker.activeExecutions.size).toBe(1);
  await clock.advance(59_999);
  expect(isOver).toBe(false);
  await clock.advance(1);
  expect(await running).toMatchObject({ status: 'timeout', code: 'timeout' });
});

test.each(['timeout', 'cancelled'])(
  'fault 4 of the origin: a %s reaches the server',
  async (end) => {
    await using it = await fixture();
    const cancel = new AbortController();
    const running = it.run(
      { toolName: 'hang', timeout: end === 'timeout' ? 200 : 60_000 },
      { signal: cancel.signal },
    );
    if (end === 'cancelled') {
      await journalled(it.journal, ({ kind }) => kind === 'call', patience());
      cancel.abort();
    }
    const outcome = await running;
    expect(outcome).toMatchObject({ status: end });
    // It may write, so it is not repeated.
    expect(outcome.isTransient).toBeUndefined();
    await journalled(it.journal, ({ kind }) => kind === 'cancelled', patience());
  },
);

test('fault 8 of the origin: a server that is switched off or does not start is skipped, without a dialog', async () => {
  const expected = { status: 'skipped', mcpServerStatus: { a: 'unavailable' } };
  {
    await using it = await fixture({}, { enabled: false });
    const outcome = await it.run({});
    expect(outcome).toMatchObject({ ...expected, code: 'server_disabled' });
    expect(outcome.message).toContain('Alpha');
    expect(outcome.advice).toEqual([{ kind: 'enable-server', server: 'Alpha' }]);
  }
  {
    await using it = await fixture({ onStart: 'exit', stderr: 'no such database\n' });
    const outcome = await it.run({ timeout: 1_000 });
    expect(outcome).toMatchObject({ ...expected, code: 'server_unavailable' });
  }
  {
    // What a server asks in the middle of a call is declined.
    await using it = await fixture();
    const params = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } };
    const outcome = await it.run({
      toolName: 'ask',
      parameterMappings: [
        literal('method', 'elicitation/create'),
        literal('params', JSON.stringify(params)),
      ],
    });
    expect(outcome.status).toBe('success');
    expect(JSON.stringify(outcome.output)).not.toContain('accept');
  }
});

test('fault 9 of the origin: a writing tool is called once, and only a repeatable one is called transient', async () => {
  await using it = await fixture();
  const crashed = await it.run({ toolName: 'crash-once-writing' });
  expect(crashed).toMatchObject({
    status: 'failure',
    code: 'server_unavailable',
    message: expect.stringMatching(/may have taken effect; it was not repeated\.$/),
    mcpServerStatus: { a: 'unavailable' },
  });
  expect(crashed.isTransient).toBeUndefined();
  expect(it.calls()).toHaveLength(1);
  expect(await it.run({ parameterMappings: [literal('text', 'back')] })).toMatchObject({
    status: 'success',
  });
  const late = await it.run({
    toolName: 'sleep',
    timeout: 100,
    parameterMappings: [literal('milliseconds', '60000')],
  });
  expect(late).toMatchObject({ status: 'timeout', isTransient: true });
  expect(await it.run({ toolName: 'fail' })).toMatchObject({
    status: 'failure',
    code: 'tool_failed',
    message: 'It did not work.',
  });
  const repeatable = ['echo', 'upsert', 'write', 'gone'].filter((toolName) =>
    it.isRepeatable({ toolName }),
  );
  expect(repeatable).toEqual(['echo', 'upsert']);
  expect(it.isRepeatable({ serverId: 'gone' })).toBe(false);
});

test('shows the resolved parameters and what is wrong with them, and calls nothing', async () => {
  await using it = await fixture({ tools: [typedTool] });
  const parameterMappings = [literal('count', '5')];
  expect(await it.preview({ toolName: 'typed', parameterMappings })).toEqual({
    resolved: { count: 5 },
    problems: [],
  });
  const problemsOf = async (parameters: Parameters) => (await it.preview(parameters)).problems;
  expect(await problemsOf({ toolName: 'typed' })).toEqual(['Parameter "count" is required.']);
  expect(await problemsOf({ serverId: 'gone' })).toEqual([
    expect.stringContaining('not found: gone'),
  ]);
  expect(await problemsOf({ toolName: 'ecko' })).toEqual([expect.stringContaining('"echo"')]);
  const long = [literal('count', '1'), literal('text', 'x'.repeat(21))];
  expect(await problemsOf({ toolName: 'typed', parameterMappings: long })).toHaveLength(1);
  await it.host.servers.setEnabled('a', false);
  expect(await problemsOf({ toolName: 'typed', parameterMappings })).toEqual([
    'Server "Alpha" is disabled: the action would be skipped.',
  ]);
  expect(it.calls()).toEqual([]);
});
