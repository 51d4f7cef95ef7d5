import { expect, test } from 'vitest';
import { HostError } from '../host-error.ts';
import { settled } from '../testing/manual-clock.ts';
import { echoTool, textResult, untilAborted } from '../testing/memory-connector.ts';
import { memoryHost, request } from '../testing/memory-host.ts';
import { localServer } from '../testing/memory-settings.ts';

const never = new AbortController().signal;

test('a crashed server is back after a second, with its tools read again', async () => {
  await using world = await memoryHost([localServer('a')]);
  const { host, connector, clock, notices } = world;
  const seen: string[] = [];
  host.events.subscribe(({ kind }) => kind !== 'server-changed' && seen.push(kind));
  await host.servers.tools('a', never);
  connector.behaviours.set('a', { tools: [echoTool, { ...echoTool, name: 'new' }] });
  connector.latest('a').crash();
  await settled();
  expect(host.servers.health('a')).toMatchObject({
    connectionState: 'error',
    retryState: { isRetrying: true, currentAttempt: 0, nextRetryAt: clock.now() + 1000 },
    reason: { code: 'server_unavailable', message: 'Server "a" exited with code 1.' },
  });
  await clock.advance(1000);
  expect(host.servers.health('a')).toMatchObject({ connectionState: 'connected', toolCount: 2 });
  expect(host.servers.knownTools('a').map((tool) => tool.name)).toEqual(['echo', 'new']);
  expect(seen.filter((kind) => kind.startsWith('server-'))).toEqual([
    'server-connected',
    'server-lost',
    'server-connected',
  ]);
  expect(notices.map((notice) => notice.message)).toEqual([
    'MCP server a disconnected, retrying...',
    'MCP server a connected again',
  ]);
});

test('a server that stays dead is disabled in the settings, and enabling it starts anew', async () => {
  await using world = await memoryHost([localServer('a')]);
  const { host, connector, clock, settings, notices } = world;
  const behaviour = { connect: () => Promise.reject(new HostError('server_unavailable', 'No.')) };
  connector.behaviours.set('a', behaviour);
  host.servers.start();
  await clock.advance(21_000);
  expect(settings.current.mcpServers[0]).toMatchObject({
    enabled: false,
    autoDisabled: true,
    failureCount: 3,
  });
  expect(host.servers.health('a').autoDisabledAt).toBe(clock.now());
  expect(connector.attempts).toBe(4);
  expect(notices.at(-1)?.message).toBe('MCP server a auto-disabled after 3 failures');
  expect(await host.execute(request())).toMatchObject({
    error: {
      code: 'server_disabled',
      message:
        'Server a is disabled. It was auto-disabled after repeated failures. ' +
        'The last one: No. Enable it with: errand servers enable a',
    },
  });

  connector.behaviours.delete('a');
  await host.servers.setEnabled('a', true);
  await settled();
  expect(host.servers.health('a')).toMatchObject({ connectionState: 'connected' });
  expect(settings.current.mcpServers[0]).toMatchObject({ enabled: true, autoDisabled: false });
});

test('saving what the host itself writes restarts nothing, and is done in one go', async () => {
  const names = ['a', 'b', 'c', 'd'];
  await using world = await memoryHost(names.map((name) => localServer(name)));
  world.host.servers.start();
  await world.clock.advance(1000);
  expect(world.settings.saves).toBe(1);
  expect(world.settings.current.mcpServers.every((server) => server.lastConnectedAt)).toBe(true);
  world.settings.change({});
  await settled();
  expect(world.connector.attempts).toBe(4);
});

test('a health change that is not saved yet survives a reading of older settings', async () => {
  await using world = await memoryHost([localServer('a')]);
  const { host, connector, clock, settings } = world;
  connector.behaviours.set('a', {
    connect: () => Promise.reject(new HostError('server_unavailable', 'No.')),
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  const save = settings.save.bind(settings);
  settings.save = (change) => promise.then(() => save(change));
  host.servers.start();
  await clock.advance(21_000);
  settings.change({ mcpGlobalTimeout: 5_000 });
  await settled();
  expect(host.servers.find('a')).toMatchObject({ enabled: false, autoDisabled: true });
  resolve();
});

test('a server that hangs at start fails at its own deadline and delays nobody', async () => {
  await using world = await memoryHost([localServer('a'), localServer('b')]);
  const { host, connector, clock } = world;
  connector.behaviours.set('a', { connect: ({ signal }) => untilAborted(signal) });
  host.servers.start();
  const hung = host.execute(request({ serverId: 'a' }));
  expect(await host.execute(request({ serverId: 'b' }))).toMatchObject({ status: 'success' });
  await clock.advance(10_000);
  expect(await hung).toMatchObject({
    error: {
      code: 'server_unavailable',
      message:
        'Server "a" did not finish starting within 10 s. See each step with: errand servers test a',
    },
  });
});

test('fetching an image does not count against the time a container has to start', async () => {
  await using world = await memoryHost([
    localServer('a', {
      deploymentType: 'managed',
      dockerConfig: { image: 'i', containerName: 'c' },
    }),
  ]);
  const { host, connector, clock } = world;
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
  expect(host.servers.health('a').connectionState).toBe('connecting');
  pulled.resolve();
  await clock.advance(30_000);
  expect(host.servers.health('a').reason?.message).toMatch(/within 30 s/);
});

test('so many processes start at once and no more; one that only waits gives its place away', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  await using world = await memoryHost(
    [...names.map((name) => localServer(name)), localServer('far', { deploymentType: 'external' })],
    {},
    { parallelStarts: 2 },
  );
  const { host, connector, clock } = world;
  for (const name of names) {
    connector.behaviours.set(name, { connect: ({ signal }) => untilAborted(signal) });
  }
  host.servers.start();
  await settled();
  expect(connector.attempts).toBe(3);
  expect(host.servers.health('far').connectionState).toBe('connected');
  await clock.advance(399);
  expect(connector.attempts).toBe(3);
  await clock.advance(1);
  expect(connector.attempts).toBe(5);
  await clock.advance(400);
  expect(connector.attempts).toBe(6);
});

test('a changed entry: running calls finish on the old connection, new ones use the new', async () => {
  await using world = await memoryHost([localServer('a')]);
  const { host, connector, settings } = world;
  const answer = Promise.withResolvers<string>();
  connector.behaviours.set('a', { call: async () => textResult(await answer.promise) });
  const running = host.execute(request());
  await settled();
  connector.behaviours.set('a', { call: async () => textResult('new') });
  settings.changeServer('a', { localConfig: { command: 'other' } });
  await settled();
  expect(await host.execute(request())).toMatchObject({ result: { content: 'new' } });
  expect(connector.connections.map((connection) => connection.isClosed)).toEqual([false, false]);
  answer.resolve('old');
  expect(await running).toMatchObject({ result: { content: 'old' } });
  await settled();
  expect(connector.connections.map((connection) => connection.isClosed)).toEqual([true, false]);
});

test('a removed server: its running call finishes, a queued one fails, its connection is closed', async () => {
  await using world = await memoryHost([localServer('a')], { mcpConcurrentLimit: 1 });
  const { host, connector, settings } = world;
  const answer = Promise.withResolvers<string>();
  connector.behaviours.set('a', { call: async () => textResult(await answer.promise) });
  const running = host.execute(request());
  const queued = host.execute(request());
  await settled();
  settings.change({ mcpServers: [] });
  await settled();
  answer.resolve('done');
  expect(await running).toMatchObject({ status: 'success' });
  expect(await queued).toMatchObject({ error: { code: 'server_unknown' } });
  expect(await host.execute(request())).toMatchObject({
    error: {
      code: 'server_unknown',
      message: 'Server not found: a. None is registered yet. Add one with: errand servers add',
    },
  });
  await settled();
  expect(connector.open).toEqual([]);
});

test('finds a server by id, and by name whatever its case', async () => {
  await using world = await memoryHost([localServer('a', { id: 'id-1', name: 'Weather' })]);
  expect(world.host.servers.find('weather')?.id).toBe('id-1');
  expect(world.host.servers.find('id-1')?.name).toBe('Weather');
  expect(world.host.servers.find('other')).toBeUndefined();
});

test('the tools are read again after five minutes, or when the server says that they changed', async () => {
  await using world = await memoryHost([localServer('a')]);
  const { host, connector, clock } = world;
  const changes: string[] = [];
  host.events.subscribe(({ kind }) => kind === 'tools-changed' && changes.push(kind));
  await host.servers.tools('a', never);
  await clock.advance(299_000);
  await host.servers.tools('a', never);
  expect(connector.latest('a').listings).toBe(1);
  await clock.advance(1_000);
  await host.servers.tools('a', never);
  expect(connector.latest('a').listings).toBe(2);
  expect(changes).toEqual([]);
  connector.latest('a').changeTools([{ ...echoTool, name: 'other' }]);
  expect(await host.servers.tools('a', never)).toMatchObject([{ name: 'other' }]);
  expect(changes).toEqual(['tools-changed']);
});

test('a server that floods us with changed tools is asked at a calm pace', async () => {
  await using world = await memoryHost([localServer('a')]);
  const { host, connector, clock } = world;
  await host.servers.tools('a', never);
  for (let i = 0; i < 100; i += 1) {
    connector.latest('a').changeTools([{ ...echoTool, name: `echo-${i}` }]);
    await clock.advance(10);
  }
  await clock.advance(250);
  expect(connector.latest('a').listings).toBeLessThan(8);
  expect(host.servers.knownTools('a')).toMatchObject([{ name: 'echo-99' }]);
});

test('an entry nobody agreed to is not started, and says what to do', async () => {
  let isTrusted = false;
  const refusal = new HostError('untrusted', 'Look at it with: errand trust');
  await using world = await memoryHost(
    [localServer('a')],
    {},
    { mayStart: () => (isTrusted ? undefined : refusal) },
  );
  expect(await world.host.execute(request())).toMatchObject({ error: { code: 'untrusted' } });
  expect(world.connector.attempts).toBe(0);
  isTrusted = true;
  expect(await world.host.execute(request())).toMatchObject({ status: 'success' });
});

test('a health check that fails twice ends the connection and makes a new one', async () => {
  await using world = await memoryHost([localServer('a')]);
  const { host, connector, clock } = world;
  connector.behaviours.set('a', { ping: untilAborted });
  await host.servers.tools('a', never);
  await clock.advance(70_000);
  expect(host.servers.health('a').connectionState).toBe('error');
  expect(connector.open).toEqual([]);
  connector.behaviours.set('a', {});
  await clock.advance(1_000);
  expect(host.servers.health('a').connectionState).toBe('connected');
  await clock.advance(30_000);
  expect(host.servers.health('a')).toMatchObject({ lastPingAt: clock.now(), pingLatency: 0 });
});

test('the end waits for servers that are just starting and for those that close slowly', async () => {
  const world = await memoryHost([localServer('a'), localServer('b')]);
  const { host, connector } = world;
  const stopped: string[] = [];
  const gone = Promise.withResolvers<void>();
  connector.behaviours.set('a', {
    connect: ({ signal }) => untilAborted(signal).finally(() => stopped.push('a')),
  });
  connector.behaviours.set('b', { close: () => gone.promise.then(() => void stopped.push('b')) });
  host.servers.start();
  await settled();
  const ending = host[Symbol.asyncDispose]();
  await settled();
  expect(stopped).toEqual(['a']);
  gone.resolve();
  await ending;
  expect(stopped).toEqual(['a', 'b']);
  expect(world.clock.sleepers).toBe(0);
});
