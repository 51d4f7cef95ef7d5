import { expect, test, vi } from 'vitest';
import { HostError } from '../host-error.ts';
import { localServer } from '../testing/local-server.ts';
import { settled } from '../testing/manual-clock.ts';
import { echoTool, textResult, untilAborted } from '../testing/memory-connector.ts';
import { memoryHost, request } from '../testing/memory-host.ts';

test('a call that a crash interrupts fails at once and is never repeated', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, clock, log } = fixture;
  const call = vi.fn((_call, { signal }) => untilAborted(signal));
  connector.behaviours.set('a', { call });
  const running = host.execute(request());
  await settled();
  connector.latest('a').crash();
  expect(await running).toMatchObject({
    status: 'error',
    attempts: 1,
    error: {
      code: 'server_unavailable',
      message:
        'Server "a" exited with code 1. The call may have taken effect; it was not repeated.',
    },
  });
  await clock.advance(30_000);
  expect(call).toHaveBeenCalledTimes(1);
  expect(log.records[0]?.attempts).toHaveLength(1);
});

test.each(['readOnlyHint', 'idempotentHint'])(
  'a crashed call is repeated when its tool declares %s, once the server is back',
  async (hint) => {
    await using fixture = await memoryHost([localServer('a')]);
    const { host, connector, clock, log } = fixture;
    const tools = [{ ...echoTool, annotations: { [hint]: true } }];
    connector.behaviours.set('a', { tools, call: (_call, { signal }) => untilAborted(signal) });
    const running = host.execute(request());
    await settled();
    connector.behaviours.set('a', { tools });
    connector.latest('a').crash();
    await clock.advance(1_000);
    expect(await running).toMatchObject({ status: 'success', attempts: 2 });
    expect(log.records[0]?.attempts).toMatchObject([
      { reason: 'Server "a" exited with code 1.' },
      { startedAt: clock.now() },
    ]);
    expect(host.sessions.usage('session').executed).toBe(1);
  },
);

test('a call that never reached the server is repeated whatever its tool', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, clock } = fixture;
  const call = vi.fn(async () => textResult('ok'));
  call.mockRejectedValueOnce(new HostError('server_unavailable', 'Gone.', { neverSent: true }));
  connector.behaviours.set('a', { call });
  const running = host.execute(request());
  await clock.advance(999);
  expect(call).toHaveBeenCalledTimes(1);
  await clock.advance(1);
  expect(await running).toMatchObject({ status: 'success', attempts: 2 });
});

test('a call is repeated three times at most, after 1, 5 and 15 seconds', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, clock } = fixture;
  const gone = new HostError('server_unavailable', 'Gone.', { neverSent: true });
  connector.behaviours.set('a', { call: () => Promise.reject(gone) });
  const running = host.execute(request());
  await clock.advance(21_000);
  expect(await running).toMatchObject({
    status: 'error',
    attempts: 4,
    error: { message: 'Gone.' },
  });
});

test('a call that takes its server down twice is not tried a third time', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, clock } = fixture;
  const tools = [{ ...echoTool, annotations: { readOnlyHint: true } }];
  const call = vi.fn(() => {
    queueMicrotask(() => connector.latest('a').crash());
    return new Promise<never>(() => {});
  });
  connector.behaviours.set('a', { tools, call });
  const poisoned = host.execute(request());
  await clock.advance(2_000);
  expect(await poisoned).toMatchObject({ status: 'error', attempts: 2 });
  expect(call).toHaveBeenCalledTimes(2);
  expect(host.servers.find('a')?.enabled).toBe(true);
});

test('other failures are never repeated', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const call = vi.fn(() => Promise.reject(new HostError('result_too_large', 'Too large.')));
  const tools = [{ ...echoTool, annotations: { readOnlyHint: true } }];
  fixture.connector.behaviours.set('a', { tools, call });
  expect(await fixture.host.execute(request())).toMatchObject({
    error: { code: 'result_too_large' },
  });
  expect(call).toHaveBeenCalledTimes(1);
});

test('retries never outlive the deadline of the call', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, clock } = fixture;
  const tools = [{ ...echoTool, annotations: { readOnlyHint: true } }];
  connector.behaviours.set('a', { tools, call: (_call, { signal }) => untilAborted(signal) });
  const running = host.execute(request({ timeout: 3_000 }));
  await settled();
  connector.behaviours.set('a', {
    connect: () => Promise.reject(new HostError('server_unavailable', 'Still gone.')),
  });
  connector.latest('a').crash();
  await clock.advance(3_000);
  expect(await running).toMatchObject({ status: 'timeout', attempts: 1, durationMs: 3_000 });
});

test('does not occupy a slot while a call waits for its server', async () => {
  await using fixture = await memoryHost([localServer('a'), localServer('b')], {
    mcpConcurrentLimit: 1,
  });
  const { host, connector, clock } = fixture;
  const tools = [{ ...echoTool, annotations: { readOnlyHint: true } }];
  connector.behaviours.set('a', { tools, call: (_call, { signal }) => untilAborted(signal) });
  const waiting = host.execute(request());
  await settled();
  connector.behaviours.set('a', { tools });
  connector.latest('a').crash();
  await settled();
  expect(await host.execute(request({ serverId: 'b' }))).toMatchObject({ status: 'success' });
  await clock.advance(1_000);
  expect(await waiting).toMatchObject({ status: 'success' });
});

test('a new call to a lost server waits until it is back', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, clock } = fixture;
  await host.execute(request());
  connector.latest('a').crash();
  await settled();
  const waiting = host.execute(request());
  await clock.advance(1_000);
  expect(await waiting).toMatchObject({ status: 'success', attempts: 1 });
});

test('a new call to a lost server waits no longer than the call might take', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, clock } = fixture;
  await host.execute(request());
  connector.behaviours.set('a', {
    connect: () => Promise.reject(new HostError('server_unavailable', 'Still gone.')),
  });
  connector.latest('a').crash();
  await settled();
  const waiting = host.execute(request({ timeout: 2_000 }));
  await clock.advance(2_000);
  expect(await waiting).toMatchObject({
    status: 'error',
    error: {
      code: 'server_unavailable',
      message:
        'Server "a" is restarting and did not come back within 2000 ms. Server "a" exited with code 1. Try again in a moment.',
    },
  });
});

test('a call to a server that could not be started fails at once, each time with the same words', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector } = fixture;
  connector.behaviours.set('a', {
    connect: () => Promise.reject(new HostError('server_unavailable', 'Command not found: a.')),
  });
  for (let time = 1; time <= 2; time += 1) {
    expect(await host.execute(request())).toMatchObject({
      error: { code: 'server_unavailable', message: 'Command not found: a.' },
    });
  }
  expect(connector.attempts).toBe(1);
});

test.each(['container_exited', 'docker_unavailable'] as const)(
  'repeats or reports a call whose server was lost with %s by the common rule',
  async (code) => {
    await using fixture = await memoryHost([localServer('a')]);
    const { host, connector, clock } = fixture;
    const tools = [
      { ...echoTool, annotations: { readOnlyHint: true } },
      { ...echoTool, name: 'write' },
    ];
    const call = vi.fn(async () => textResult('ok'));
    connector.behaviours.set('a', { tools, call });
    call.mockRejectedValueOnce(new HostError(code, 'Server "a" ended.'));
    expect(await host.execute(request({ toolName: 'write' }))).toMatchObject({
      status: 'error',
      attempts: 1,
      error: {
        code,
        message: 'Server "a" ended. The call may have taken effect; it was not repeated.',
      },
    });
    call.mockRejectedValueOnce(new HostError(code, 'Server "a" ended.'));
    const repeated = host.execute(request());
    await clock.advance(1_000);
    expect(await repeated).toMatchObject({ status: 'success', attempts: 2 });
  },
);

test('fails a rate-limited call at once, whatever its tool', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector } = fixture;
  const facts = { neverSent: true, isPassing: true, retryAfter: 7000 };
  const call = vi.fn(async () => {
    throw new HostError('server_unavailable', 'Try again in 7 s.', facts);
  });
  const tools = [{ ...echoTool, annotations: { readOnlyHint: true } }];
  connector.behaviours.set('a', { tools, call });
  expect(await host.execute(request())).toMatchObject({
    attempts: 1,
    error: { message: 'Try again in 7 s.', facts: { retryAfter: 7000 } },
  });
});
