import { expect, test, vi } from 'vitest';
import { HostError } from '../host-error.ts';
import { localServer } from '../testing/local-server.ts';
import { settled } from '../testing/manual-clock.ts';
import { textResult, untilAborted } from '../testing/memory-connector.ts';
import { createMemoryHealthStore } from '../testing/memory-health-store.ts';
import { memoryHost, request } from '../testing/memory-host.ts';
import type { CallOutcome } from '../tool-invocation.ts';
import type { StartTrust } from './server-snapshot.ts';

test('a server that stays dead is disabled on this machine only, and enabling it starts anew', async () => {
  const health = createMemoryHealthStore();
  await using fixture = await memoryHost([localServer('a')], {}, { health });
  const { host, connector, clock, settings, notices } = fixture;
  const written = settings.text();
  const behaviour = { connect: () => Promise.reject(new HostError('server_unavailable', 'No.')) };
  connector.behaviours.set('a', behaviour);
  host.servers.start();
  await clock.advance(21_000);
  expect(settings.text()).toBe(written);
  expect(host.servers.find('a')).toMatchObject({
    enabled: false,
    autoDisabled: true,
    failureCount: 3,
  });
  await using later = await memoryHost([localServer('a')], {}, { health });
  expect(later.host.servers.find('a')).toMatchObject({ enabled: false, autoDisabled: true });
  expect(later.host.servers.snapshot('a')).toMatchObject({
    autoDisabledAt: clock.now(),
    reason: { code: 'server_unavailable', message: 'No.' },
  });
  expect(host.servers.snapshot('a').autoDisabledAt).toBe(clock.now());
  expect(connector.attempts).toBe(4);
  expect(notices.at(-1)?.message).toBe('MCP server a auto-disabled after 3 failures');
  expect(await host.execute(request())).toMatchObject({
    error: {
      code: 'server_disabled',
      message:
        'Server a is disabled. It was auto-disabled after repeated failures. ' +
        'The last one: No.',
      advice: [{ kind: 'enable-server', server: 'a' }],
    },
  });

  connector.behaviours.delete('a');
  await host.servers.setEnabled('a', true);
  await settled();
  expect(host.servers.snapshot('a')).toMatchObject({ connectionState: 'connected' });
  expect(settings.text()).toBe(written);
  // Another program on the vault follows.
  await settled();
  expect(later.host.servers.find('a')).toMatchObject({ enabled: true, autoDisabled: false });
});

test('a server that another program gave up goes on here', async () => {
  const health = createMemoryHealthStore();
  await using here = await memoryHost([localServer('a')], {}, { health });
  await using there = await memoryHost([localServer('a')], {}, { health });
  await here.host.execute(request());
  there.connector.behaviours.set('a', {
    connect: () => Promise.reject(new HostError('server_unavailable', 'No.')),
  });
  there.host.servers.start();
  await there.clock.advance(21_000);
  expect(there.host.servers.find('a')).toMatchObject({ enabled: false });
  await settled();
  expect(here.host.servers.snapshot('a')).toMatchObject({ connectionState: 'connected' });
  expect(await here.host.execute(request())).toMatchObject({ status: 'success' });
});

test('a server that was given up is tried again when its entry changes', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, clock } = fixture;
  connector.behaviours.set('a', {
    connect: () => Promise.reject(new HostError('server_unavailable', 'No.')),
  });
  host.servers.start();
  await clock.advance(21_000);
  connector.behaviours.delete('a');
  const changed = { ...localServer('a'), localConfig: { command: 'another' } };
  await fixture.change({ mcpServers: [changed] });
  expect(host.servers.find('a')).toMatchObject({ enabled: true, autoDisabled: false });
  expect(await host.execute(request())).toMatchObject({ status: 'success' });
});

test('a server that was waiting for approval connects once it is approved and settings are read again', async () => {
  const untrusted = new HostError('untrusted', 'Nobody has agreed to it.');
  let refusal: HostError | undefined = untrusted;
  const trust: StartTrust = { mayStart: () => refusal, verdict: () => 'new' };
  await using fixture = await memoryHost([localServer('a')], {}, { trust });
  const { host, connector, settings } = fixture;
  connector.behaviours.set('a', { connect: () => Promise.reject(untrusted) });
  host.servers.start();
  await settled();
  expect(host.servers.snapshot('a')).toMatchObject({
    connectionState: 'disconnected',
    trust: 'new',
  });
  await host.execute(request());
  expect(host.servers.snapshot('a').reason).toMatchObject({ code: 'untrusted' });
  const { attempts } = connector;
  host.servers.apply(await settings.load());
  await settled();
  expect(connector.attempts).toBe(attempts);
  refusal = undefined;
  connector.behaviours.delete('a');
  host.servers.apply(await settings.load());
  await settled();
  expect(host.servers.snapshot('a').connectionState).toBe('connected');
});

test('a hung server is replaced while calls keep arriving', async () => {
  await using fixture = await memoryHost([localServer('a')], { mcpGlobalTimeout: 10_000 });
  const { host, connector, clock } = fixture;
  connector.behaviours.set('a', {
    call: (_call, { signal }) => untilAborted(signal),
    ping: (signal) => untilAborted(signal),
  });
  const calls: Promise<CallOutcome>[] = [];
  for (let time = 0; time < 120_000; time += 5_000) {
    calls.push(host.execute(request({ sessionId: String(time) })));
    await clock.advance(5_000);
    if (connector.attempts > 1) break;
  }
  expect(connector.attempts).toBe(2);
  host.stop();
  await Promise.all(calls);
});

test('saving what the host itself writes restarts nothing, and is done in one go', async () => {
  const names = ['s1', 's2', 's3', 's4'];
  const health = createMemoryHealthStore();
  const save = vi.spyOn(health, 'save');
  const servers = names.map((name) => localServer(name));
  await using fixture = await memoryHost(servers, {}, { health });
  fixture.host.servers.start();
  await fixture.clock.advance(1000);
  expect(save).toHaveBeenCalledTimes(1);
  const { mcpServers } = fixture.host.servers.settings;
  expect(mcpServers.every(({ lastConnectedAt }) => lastConnectedAt)).toBe(true);
  await fixture.change({});
  expect(fixture.connector.attempts).toBe(4);
});

test('a health change that is not saved yet survives a reading of older settings', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const health = { ...createMemoryHealthStore(), save: () => promise };
  await using fixture = await memoryHost([localServer('a')], {}, { health });
  const { host, connector, clock } = fixture;
  connector.behaviours.set('a', {
    connect: () => Promise.reject(new HostError('server_unavailable', 'No.')),
  });
  host.servers.start();
  await clock.advance(21_000);
  await fixture.change({ mcpGlobalTimeout: 5_000 });
  expect(host.servers.find('a')).toMatchObject({ enabled: false, autoDisabled: true });
  resolve();
});

test('a changed entry: running calls finish on the old connection, new ones use the new', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector } = fixture;
  const answer = Promise.withResolvers<string>();
  connector.behaviours.set('a', { call: async () => textResult(await answer.promise) });
  const running = host.execute(request());
  await settled();
  connector.behaviours.set('a', { call: async () => textResult('new') });
  await fixture.change({ mcpServers: [localServer('a', { localConfig: { command: 'other' } })] });
  expect(await host.execute(request())).toMatchObject({ result: { content: 'new' } });
  expect(connector.connections.map((connection) => connection.isClosed)).toEqual([false, false]);
  answer.resolve('old');
  expect(await running).toMatchObject({ result: { content: 'old' } });
  await settled();
  expect(connector.connections.map((connection) => connection.isClosed)).toEqual([true, false]);
});

test('a removed server: its running call finishes, a queued one fails, its connection is closed', async () => {
  await using fixture = await memoryHost([localServer('a')], { mcpConcurrentLimit: 1 });
  const { host, connector } = fixture;
  const answer = Promise.withResolvers<string>();
  connector.behaviours.set('a', { call: async () => textResult(await answer.promise) });
  const running = host.execute(request());
  const queued = host.execute(request());
  await settled();
  await fixture.change({ mcpServers: [] });
  answer.resolve('done');
  expect(await running).toMatchObject({ status: 'success' });
  expect(await queued).toMatchObject({ error: { code: 'server_unknown' } });
  expect(await host.execute(request())).toMatchObject({
    error: {
      code: 'server_unknown',
      message: 'Server not found: a. None is registered yet.',
    },
  });
  await settled();
  expect(connector.open).toEqual([]);
});

test('makes all new servers available before the first event', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { servers, events } = fixture.host;
  servers.start();
  const heard: string[] = [];
  events.subscribe(({ kind }) => {
    heard.push(kind);
    for (const { id } of servers.list()) servers.snapshot(id);
  });
  await fixture.change({ mcpServers: [localServer('one'), localServer('two')] });
  await settled();
  expect(heard).toContain('settings-changed');
  expect(servers.snapshot('two')).toMatchObject({ connectionState: 'connected' });
});

test('finds a server by id, and by name whatever its case', async () => {
  await using fixture = await memoryHost([localServer('a', { id: 'id-1', name: 'Weather' })]);
  expect(fixture.host.servers.find('weather')?.id).toBe('id-1');
  expect(fixture.host.servers.find('id-1')?.name).toBe('Weather');
  expect(fixture.host.servers.find('other')).toBeUndefined();
});

test('shows what a crashed server printed also after it was restarted', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, clock } = fixture;
  await host.execute(request());
  const crashed = connector.latest('a');
  crashed.lastOutput = () => 'out of cheese';
  crashed.crash();
  await settled();
  await clock.advance(2_000);
  expect(host.servers.snapshot('a').connectionState).toBe('connected');
  expect(await host.servers.details('a')).toMatchObject({ lastOutput: 'out of cheese' });
});

test('connects at start the servers that are agreed to and do not wait for their first use', async () => {
  const verdicts = new Map([['new', 'new' as const]]);
  const trust = {
    mayStart: ({ name }: { readonly name: string }) =>
      verdicts.has(name) ? new HostError('untrusted', 'Nobody agreed.') : undefined,
    verdict: ({ name }: { readonly name: string }) => verdicts.get(name) ?? ('trusted' as const),
  };
  const servers = [
    localServer('a'),
    localServer('lazy', { connect: 'on-use' }),
    localServer('new'),
    localServer('off', { enabled: false }),
  ];
  await using fixture = await memoryHost(servers, {}, { trust });
  const { host, clock, connector } = fixture;
  const connected = () =>
    host.servers
      .snapshots()
      .filter(({ connectionState }) => connectionState === 'connected')
      .map(({ config }) => config.name);
  await clock.advance(10);
  expect(connector.attempts).toBe(0);
  host.servers.start();
  await clock.advance(10);
  expect(connected()).toEqual(['a']);
  verdicts.delete('new');
  await fixture.change({});
  host.servers.apply(host.servers.settings);
  await clock.advance(10);
  expect(connected()).toEqual(['a', 'new']);
  expect(await host.execute(request({ serverId: 'lazy' }))).toMatchObject({ status: 'success' });
  expect(connected()).toEqual(['a', 'lazy', 'new']);
});

test('connect: on-use holds for all servers that do not say otherwise, and enabling connects', async () => {
  const servers = [
    localServer('a'),
    localServer('eager', { connect: 'at-start' }),
    localServer('off', { enabled: false }),
  ];
  await using fixture = await memoryHost(servers, { connect: 'on-use' });
  const { host, clock } = fixture;
  host.servers.start();
  await clock.advance(10);
  const states = () => host.servers.snapshots().map(({ connectionState }) => connectionState);
  expect(states()).toEqual(['disconnected', 'connected', 'disconnected']);
  await host.servers.setEnabled('off', true);
  await clock.advance(10);
  expect(states()).toEqual(['disconnected', 'connected', 'connected']);
});

test('moves what an older settings file says of a server into the state of this machine, once', async () => {
  const health = createMemoryHealthStore();
  const old = localServer('a', { lastConnectedAt: 7, failureCount: 2 });
  const settingsText = await (async () => {
    await using first = await memoryHost([old], {}, { health });
    await first.clock.advance(1_000);
    expect(await health.load()).toEqual({ a: { lastConnectedAt: 7, failureCount: 2 } });
    return first.settings.text();
  })();
  expect(JSON.parse(settingsText).mcpServers[0]).toMatchObject({ lastConnectedAt: 7 });
  const changed = localServer('a', { lastConnectedAt: 9, failureCount: 3 });
  await using later = await memoryHost([changed], {}, { health });
  expect(later.host.servers.find('a')).toMatchObject({ lastConnectedAt: 7, failureCount: 2 });
});
