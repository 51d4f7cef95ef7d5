import { expect, test, vi } from 'vitest';
import type { ToolDescription } from '../connection.ts';
import type { ElicitAnswer } from '../elicitor.ts';
import { HostError } from '../host-error.ts';
import { localServer } from '../testing/local-server.ts';
import { echoTool, textResult, untilAborted } from '../testing/memory-connector.ts';
import { memoryHost, request } from '../testing/memory-host.ts';

test('refuses what cannot run, says why, and sends nothing', async () => {
  const strict: ToolDescription = {
    name: 'strict',
    inputSchema: {
      type: 'object',
      properties: { n: { type: 'integer' }, counts: { type: 'integer' } },
      required: ['n'],
      additionalProperties: false,
    },
  };
  await using fixture = await memoryHost([
    localServer('a'),
    localServer('off', { enabled: false }),
    localServer('given-up', { enabled: false, autoDisabled: true, failureCount: 3 }),
  ]);
  const call = vi.fn(async () => textResult('sent'));
  const broken = { ...echoTool, name: 'broken', broken: 'type must be "object"' };
  fixture.connector.behaviours.set('a', { call, tools: [echoTool, strict, broken] });
  const failure = async (change: Parameters<typeof request>[0]) => {
    const outcome = await fixture.host.execute(request(change));
    return outcome.status === 'success' ? undefined : outcome.error;
  };

  expect(await failure({ serverId: 'zzz' })).toMatchObject({
    code: 'server_unknown',
    message: 'Server not found: zzz. Registered: a, off, given-up.',
    advice: [{ kind: 'add-server' }],
  });
  expect(await failure({ serverId: 'off' })).toMatchObject({
    code: 'server_disabled',
    message: 'Server off is disabled',
    advice: [{ kind: 'enable-server', server: 'off' }],
  });
  expect((await failure({ serverId: 'given-up' }))?.message).toMatch(
    'Server given-up is disabled. It was auto-disabled after repeated failures.',
  );
  expect(await failure({ toolName: 'nope' })).toMatchObject({
    code: 'tool_not_found',
    message: 'Tool not found: nope. Server "a" offers: echo, strict, broken.',
  });
  expect(await failure({ toolName: 'ehco' })).toMatchObject({
    message: 'Tool not found: ehco. Did you mean "echo"? Server "a" offers: echo, strict, broken.',
  });
  expect(await failure({ toolName: 'strict', parameters: {} })).toMatchObject({
    code: 'invalid_params',
    message: '"n" is required (integer).',
    facts: { path: 'n', tool: 'strict' },
  });
  expect(await failure({ toolName: 'strict', parameters: { n: 5, count: 2 } })).toMatchObject({
    code: 'invalid_params',
    message: 'The tool has no parameter "count". Did you mean "counts"?',
    facts: { path: 'count' },
  });
  expect(await failure({ toolName: 'strict', parameters: { n: 'five' } })).toMatchObject({
    code: 'invalid_params',
    message: 'Parameter "n": expected integer, got "five".',
  });
  expect(await failure({ toolName: 'broken' })).toMatchObject({
    code: 'invalid_params',
    message:
      'Tool "broken" of server "a" cannot be called: its input schema is broken (type must be "object"). ' +
      'Ask the author of the server to fix it.',
  });
  expect(call).not.toHaveBeenCalled();
  expect(fixture.host.sessions.usage('session').executed).toBe(0);
  expect(fixture.log.records).toHaveLength(9);
});

test('a tool with a broken schema is called broken before its parameters are typed by it', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const broken = { ...echoTool, broken: 'type must be "object"' };
  fixture.connector.behaviours.set('a', { tools: [broken] });
  const typeParameters = () => {
    throw new Error('typed by a broken schema');
  };
  expect(await fixture.host.execute(request(), { typeParameters })).toMatchObject({
    error: {
      code: 'invalid_params',
      message: expect.stringContaining('its input schema is broken'),
    },
  });
});

test('a section that forbids the call keeps its server from being started', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const outcome = await fixture.host.execute(request(), {
    allows: () => new HostError('section_forbids', 'This section belongs to another server.'),
  });
  expect(outcome).toMatchObject({ status: 'error', error: { code: 'section_forbids' } });
  expect(fixture.connector.attempts).toBe(0);
});

test('asks for approval without a deadline and without occupying a slot', async () => {
  await using fixture = await memoryHost([localServer('a')], { mcpConcurrentLimit: 1 });
  const { host, clock, log } = fixture;
  const answer = Promise.withResolvers<HostError | undefined>();
  const asked = vi.fn(() => answer.promise);
  const waiting = host.execute(request({ source: 'ai-autonomous' }), { approve: asked });
  await clock.advance(600_000);
  expect(asked).toHaveBeenCalledWith(expect.anything(), echoTool, expect.anything());
  expect(await host.execute(request())).toMatchObject({ status: 'success' });
  answer.resolve(undefined);
  expect(await waiting).toMatchObject({ status: 'success' });
  const denial = new HostError('approval_denied', 'Not allowed.');
  const denied = await host.execute(request(), { approve: async () => denial });
  expect(denied).toMatchObject({ error: { code: 'approval_denied' } });
  expect(log.records.map((record) => record.approval)).toEqual([undefined, 'given', 'denied']);
});

test('types the parameters with the schema before checking and sending them', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const call = vi.fn(async () => textResult('ok'));
  const tools = [{ name: 'echo', inputSchema: { properties: { n: { type: 'integer' } } } }];
  fixture.connector.behaviours.set('a', { call, tools });
  await fixture.host.execute(request({ parameters: { n: '5' } }), {
    typeParameters: ({ n }) => ({ n: Number(n) }),
  });
  expect(call).toHaveBeenCalledWith({ tool: 'echo', arguments: { n: 5 } }, expect.anything());
  expect(fixture.log.records[0]?.parameters).toEqual({ n: 5 });
});

test('the deadline runs from the start of the call, not while it waits for its server or its turn', async () => {
  await using fixture = await memoryHost([localServer('a')], { mcpConcurrentLimit: 1 });
  const { host, connector, clock } = fixture;
  const started = Promise.withResolvers<void>();
  connector.behaviours.set('a', {
    connect: () => started.promise,
    call: (_call, { signal }) => untilAborted(signal),
  });
  const first = host.execute(request({ timeout: 2_000 }));
  const second = host.execute(request({ timeout: 3_000 }));
  await clock.advance(9_000);
  started.resolve();
  await clock.advance(1_999);
  expect(host.tracker.activeExecutions.size).toBe(1);
  await clock.advance(1);
  expect(await first).toMatchObject({
    status: 'timeout',
    error: { code: 'timeout', message: 'Execution timeout after 2000 ms' },
    durationMs: 2_000,
  });
  await clock.advance(3_000);
  expect(await second).toMatchObject({ status: 'timeout', durationMs: 3_000 });
});

test.each([
  { name: 'request', settings: {}, server: { timeout: 7_000 }, timeout: 6_000, expected: 6_000 },
  { name: 'server', settings: {}, server: { timeout: 7_000 }, expected: 7_000 },
  { name: 'settings', settings: { mcpGlobalTimeout: 8_000 }, server: {}, expected: 8_000 },
])('the timeout of the $name is used', async ({ settings, server, timeout, expected }) => {
  await using fixture = await memoryHost([localServer('a', server)], settings);
  fixture.connector.behaviours.set('a', { call: (_call, { signal }) => untilAborted(signal) });
  const running = fixture.host.execute(request(timeout === undefined ? {} : { timeout }));
  await fixture.clock.advance(expected);
  expect(await running).toMatchObject({ status: 'timeout', durationMs: expected });
});

test('progress is passed on, and extends the deadline only when asked', async () => {
  await using fixture = await memoryHost([localServer('a')], { mcpGlobalTimeout: 1_000 });
  const { host, connector, clock } = fixture;
  connector.behaviours.set('a', {
    call: async (_call, { signal, onProgress }) => {
      for (let progress = 1; progress <= 3; progress += 1) {
        await clock.sleep(800, signal);
        onProgress?.({ progress });
      }
      return textResult('done');
    },
  });
  const seen: number[] = [];
  const onProgress = ({ progress }: { progress: number }) => seen.push(progress);
  const short = host.execute(request(), { onProgress });
  await clock.advance(2_400);
  expect(await short).toMatchObject({ status: 'timeout' });
  expect(seen).toEqual([1]);
  const long = host.execute(request(), { onProgress, progressExtends: true });
  await clock.advance(2_400);
  expect(await long).toMatchObject({ status: 'success' });
  expect(seen).toEqual([1, 1, 2, 3]);
});

test('pauses the deadline while the server waits for an answer, and restarts it afterwards', async () => {
  await using fixture = await memoryHost([localServer('a')], { mcpGlobalTimeout: 5_000 });
  const { host, connector, clock } = fixture;
  const answer = Promise.withResolvers<ElicitAnswer>();
  connector.behaviours.set('a', {
    call: async (_call, { signal, caller }) => {
      const question = { server: 'a', kind: 'form', message: '?', schema: {} } as const;
      await caller?.elicitor?.elicit(question, signal);
      return untilAborted(signal);
    },
  });
  const caller = { owner: 'client', elicitor: { elicit: () => answer.promise } };
  const outcome = host.execute(request(), { caller });
  await clock.advance(60_000);
  expect(host.tracker.activeExecutions.size).toBe(1);
  answer.resolve({ action: 'decline' });
  await clock.advance(4_000);
  expect(host.tracker.activeExecutions.size).toBe(1);
  await clock.advance(2_000);
  expect(await outcome).toMatchObject({ status: 'timeout' });
});

test('shortens the list of a server’s tools, however long their names are', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const tools = [{ ...echoTool, name: `long\n${'n'.repeat(1_000_000)}` }, echoTool];
  fixture.connector.behaviours.set('a', { tools });
  const outcome = await fixture.host.execute(request({ toolName: 'nope' }));
  expect(outcome).toMatchObject({
    error: { message: expect.stringMatching(/offers: long\\nn{123}…, echo\.$/) },
  });
});
