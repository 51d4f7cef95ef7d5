import { expect, test } from 'vitest';
import { HostError } from '../host-error.ts';
import { localServer } from '../testing/local-server.ts';
import { settled } from '../testing/manual-clock.ts';
import { echoTool, untilAborted } from '../testing/memory-connector.ts';
import { memoryHost, request } from '../testing/memory-host.ts';

const never = new AbortController().signal;

test('a crashed server is back after a second, with its tools read again', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, clock, notices } = fixture;
  const seen: string[] = [];
  host.events.subscribe(({ kind }) => /^server-(connected|lost)$/.test(kind) && seen.push(kind));
  await host.servers.tools('a', never);
  connector.behaviours.set('a', { tools: [echoTool, { ...echoTool, name: 'new' }] });
  connector.latest('a').crash();
  await settled();
  expect(host.servers.snapshot('a')).toMatchObject({
    connectionState: 'error',
    retryState: { isRetrying: true, currentAttempt: 0, nextRetryAt: clock.now() + 1000 },
    reason: { code: 'server_unavailable', message: 'Server "a" exited with code 1.' },
  });
  await clock.advance(1000);
  expect(host.servers.snapshot('a')).toMatchObject({ connectionState: 'connected', toolCount: 2 });
  expect(host.servers.knownTools('a').map((tool) => tool.name)).toEqual(['echo', 'new']);
  expect(seen).toEqual(['server-connected', 'server-lost', 'server-connected']);
  expect(notices.map((notice) => notice.message)).toEqual([
    'MCP server a disconnected, retrying...',
    'MCP server a connected again',
  ]);
});

test('a server that hangs at start fails at its own deadline and delays nobody', async () => {
  await using fixture = await memoryHost([localServer('a'), localServer('b')]);
  const { host, connector, clock } = fixture;
  connector.behaviours.set('a', { connect: ({ signal }) => untilAborted(signal) });
  host.servers.start();
  const hung = host.execute(request({ serverId: 'a' }));
  expect(await host.execute(request({ serverId: 'b' }))).toMatchObject({ status: 'success' });
  await clock.advance(10_000);
  expect(await hung).toMatchObject({
    error: {
      code: 'server_unavailable',
      message: 'Server "a" did not finish starting within 10 s.',
      advice: [
        { kind: 'raise-start-timeout', server: 'a' },
        { kind: 'test-server', server: 'a' },
      ],
    },
  });
});

test('fetching an image does not count against the time a container has to start', async () => {
  await using fixture = await memoryHost([
    localServer('a', {
      deploymentType: 'managed',
      dockerConfig: { image: 'i', containerName: 'errand-a' },
    }),
  ]);
  const { host, connector, clock } = fixture;
  const pulled = Promise.withResolvers<void>();
  connector.behaviours.set('a', {
    connect: async ({ signal, onStep }) => {
      onStep?.({ name: 'pull' });
      await pulled.promise;
      onStep?.({ name: 'start' });
      await untilAborted(signal);
    },
  });
  host.servers.start();
  await clock.advance(300_000);
  expect(host.servers.snapshot('a').connectionState).toBe('connecting');
  pulled.resolve();
  await clock.advance(30_000);
  expect(host.servers.snapshot('a').reason?.message).toMatch(/within 30 s/);
});

test.each([
  ['a package runner has a minute to start', { localConfig: { command: '/usr/bin/npx' } }, 60],
  ['an entry may say how long it takes', { startTimeout: 90_000 }, 90],
])('%s', async (_what, change, seconds) => {
  await using fixture = await memoryHost([localServer('a', change)]);
  const { host, connector, clock } = fixture;
  connector.behaviours.set('a', { connect: ({ signal }) => untilAborted(signal) });
  host.servers.start();
  await clock.advance(seconds * 1000 - 1);
  expect(host.servers.snapshot('a').connectionState).toBe('connecting');
  await clock.advance(1);
  expect(host.servers.snapshot('a').reason?.message).toContain(`within ${seconds} s.`);
});

test('an entry nobody agreed to is not started, and says what to do', async () => {
  let isTrusted = false;
  const refusal = new HostError('untrusted', 'Nobody agreed to it.');
  await using fixture = await memoryHost(
    [localServer('a')],
    {},
    {
      trust: {
        mayStart: () => (isTrusted ? undefined : refusal),
        verdict: () => (isTrusted ? 'trusted' : 'new'),
      },
    },
  );
  expect(await fixture.host.execute(request())).toMatchObject({ error: { code: 'untrusted' } });
  expect(fixture.connector.attempts).toBe(0);
  expect(fixture.host.servers.snapshot('a').trust).toBe('new');
  isTrusted = true;
  expect(await fixture.host.execute(request())).toMatchObject({ status: 'success' });
});

test('each event carries a snapshot; what a connection waits for is in it while it connects', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const seen: unknown[] = [];
  fixture.host.events.subscribe((event) => {
    if (event.kind !== 'server-changed') return;
    const { config, connectionState, step } = event.snapshot;
    seen.push([config.id, connectionState, step?.name]);
  });
  await fixture.host.servers.tools('a', never);
  expect(seen).toEqual([
    ['a', 'connecting', undefined],
    ['a', 'connecting', 'tools'],
    ['a', 'connected', undefined],
  ]);
});

test('a health check that fails twice ends the connection and makes a new one', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, clock } = fixture;
  connector.behaviours.set('a', { ping: untilAborted });
  await host.servers.tools('a', never);
  await clock.advance(70_000);
  expect(host.servers.snapshot('a').connectionState).toBe('error');
  expect(connector.open).toEqual([]);
  connector.behaviours.set('a', {});
  await clock.advance(1_000);
  expect(host.servers.snapshot('a').connectionState).toBe('connected');
  await clock.advance(30_000);
  expect(host.servers.snapshot('a')).toMatchObject({ lastPingAt: clock.now(), pingLatency: 0 });
});

test('a machine that slept in the middle of a health check finds its servers where they were', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, clock } = fixture;
  connector.behaviours.set('a', { ping: untilAborted });
  await host.servers.tools('a', never);
  await clock.advance(66_000);
  await clock.sleepMachine(3_600_000);
  expect(host.servers.snapshot('a').connectionState).toBe('connected');
  connector.latest('a').behaviour.ping = async () => {};
  await clock.advance(5_000);
  expect(host.servers.snapshot('a')).toMatchObject({ lastPingAt: clock.now() });
  expect(connector.attempts).toBe(1);
});

test('waits at shutdown for servers that are starting or close slowly', async () => {
  const fixture = await memoryHost([localServer('a'), localServer('b')]);
  const { host, connector } = fixture;
  const stopped: string[] = [];
  const gone = Promise.withResolvers<void>();
  connector.behaviours.set('a', {
    connect: ({ signal }) => untilAborted(signal).finally(() => stopped.push('a')),
  });
  connector.behaviours.set('b', { close: () => gone.promise.then(() => void stopped.push('b')) });
  host.servers.start();
  await settled();
  const closing = host[Symbol.asyncDispose]();
  await settled();
  expect(stopped).toEqual(['a']);
  gone.resolve();
  await closing;
  expect(stopped).toEqual(['a', 'b']);
  expect(fixture.clock.sleepers).toBe(0);
});
