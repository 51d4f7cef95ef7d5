import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProcess } from '@errand/files/processes';
import type { Notice, ToolInvocationRequest } from '@errand/host';
import { createHost, type Host, type HostPorts } from '@errand/host';
import { createMemorySettingsStore, MemoryCallLog, request } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { LocalConnector } from '../mcp/local-connector.ts';
import { journalled, readJournal } from '../testing/journal.ts';
import { scriptedServerConfig } from '../testing/scripted-server-config.ts';
import type { ServerScript } from '../testing/server-script.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

/** A host with real server processes, each named and identified as the test says. */
async function processHost(
  scripts: Readonly<Record<string, ServerScript>>,
  ports: Partial<HostPorts> = {},
) {
  const folder = await temporaryFolder();
  const journal = (name: string) => join(folder.path, `${name}.journal`);
  const servers = Object.entries(scripts).map(([name, script]) =>
    scriptedServerConfig({ journal: journal(name), ...script }, { id: name, name }),
  );
  await Promise.all(servers.map(({ name }) => writeFile(journal(name), '')));
  const notices: Notice[] = [];
  const notifier = { notify: (notice: Notice) => void notices.push(notice) };
  const given = { version: 1, mcpServers: servers, mcpSessionLimit: -1 };
  const settings = createMemorySettingsStore(JSON.stringify(given));
  const local = new LocalConnector({
    host: { name: 'test', version: '0.0.0', vaultFolder: folder.path, eras: new Map(), notifier },
    childrenFolder: join(folder.path, 'children'),
    neutralFolder: join(folder.path, 'empty'),
  });
  const log = new MemoryCallLog();
  const host = await createHost({ settings, connectors: { local }, notifier, log, ...ports });
  return {
    host,
    settings,
    journal,
    notices,
    log,
    [Symbol.asyncDispose]: async () => {
      await host[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const call = (
  host: Host,
  toolName: string,
  parameters: ToolInvocationRequest['parameters'] = {},
  change: Partial<ToolInvocationRequest> = {},
) => host.execute(request({ toolName, parameters, ...change }));

const patience = () => AbortSignal.timeout(10_000);

test('a server killed in a call: the error comes at once, and the server comes back by itself', async () => {
  await using fixture = await processHost({ a: { stderr: 'these are my last words\n' } });
  const { host, journal } = fixture;
  const hanging = call(host, 'hang');
  const { pid } = await journalled(journal('a'), ({ kind }) => kind === 'call', patience());
  const back = Promise.withResolvers<void>();
  let isBack = false;
  host.events.subscribe(({ kind }) => {
    if (kind !== 'server-connected') return;
    isBack = true;
    back.resolve();
  });
  process.kill(pid, 'SIGKILL');
  expect(await hanging).toMatchObject({
    status: 'error',
    attempts: 1,
    error: {
      code: 'server_unavailable',
      message: expect.stringMatching(/The call may have taken effect; it was not repeated\.$/),
      facts: { lastOutput: expect.stringContaining('these are my last words') },
    },
  });
  // The caller hears of it before the first attempt to start the server again.
  expect(isBack).toBe(false);
  await back.promise;
  expect(host.servers.knownTools('a').length).toBeGreaterThan(5);
  expect(await call(host, 'echo', { text: 'again' })).toMatchObject({
    result: { content: 'again' },
  });
  const calls = readJournal(journal('a')).filter(
    ({ kind, tool }) => kind === 'call' && tool === 'hang',
  );
  expect(calls).toHaveLength(1);
});

test('a read-only call that a kill interrupts is repeated on the new process', async () => {
  await using fixture = await processHost({ a: {} });
  const { host, journal } = fixture;
  const sleeping = call(host, 'sleep', { milliseconds: 300 });
  const { pid } = await journalled(journal('a'), ({ kind }) => kind === 'call', patience());
  process.kill(pid, 'SIGKILL');
  expect(await sleeping).toMatchObject({ status: 'success', attempts: 2 });
  const pids = readJournal(journal('a'))
    .filter(({ kind }) => kind === 'call')
    .map((line) => line.pid);
  expect(new Set(pids).size).toBe(2);
});

test('fails a call to a server that exits at once with its last output, without waiting for retries', async () => {
  await using fixture = await processHost({ a: { onStart: 'exit', stderr: 'no such database\n' } });
  const outcome = await call(fixture.host, 'echo', { text: 'x' });
  expect(outcome).toMatchObject({
    error: {
      code: 'server_unavailable',
      facts: { exitCode: 3, lastOutput: expect.stringContaining('no such database') },
    },
  });
  expect(fixture.host.servers.snapshot('a').retryState.isRetrying).toBe(true);
});

test('servers that hang or misbehave do not keep the others waiting', async () => {
  await using fixture = await processHost({
    hangs: { onStart: 'hang' },
    exits: { onStart: 'exit' },
    slow: { startDelay: 2_000 },
    good: {},
  });
  const { host } = fixture;
  host.servers.start();
  expect(await call(host, 'echo', { text: 'x' }, { serverId: 'good' })).toMatchObject({
    status: 'success',
  });
  expect(host.servers.snapshot('hangs').connectionState).toBe('connecting');
  const hanging = call(host, 'hang', {}, { serverId: 'good' });
  const many = Array.from({ length: 20 }, () =>
    call(host, 'echo', { text: 'y' }, { serverId: 'good' }),
  );
  for (const outcome of await Promise.all(many)) expect(outcome.status).toBe('success');
  expect(await call(host, 'echo', { text: 'x' }, { serverId: 'slow' })).toMatchObject({
    status: 'success',
  });
  host.stop();
  expect(await hanging).toMatchObject({ status: 'cancelled' });
});

test('sends cancellations to the servers when calls are stopped', async () => {
  await using fixture = await processHost({ a: {} });
  const { host, journal } = fixture;
  const calls = [1, 2, 3].map(() => call(host, 'sleep', { milliseconds: 60_000 }));
  await journalled(journal('a'), ({ kind }) => kind === 'call', patience());
  host.stop();
  for (const outcome of await Promise.all(calls)) {
    expect(outcome).toMatchObject({ error: { message: 'Execution stopped by user' } });
  }
  await journalled(journal('a'), ({ kind }) => kind === 'cancelled', patience());
});

test('ends a call that takes too long at its deadline and notifies the server', async () => {
  await using fixture = await processHost({ a: {} });
  const { host, journal } = fixture;
  const late = call(host, 'sleep', { milliseconds: 60_000 }, { timeout: 1_000 });
  expect(await late).toMatchObject({
    status: 'timeout',
    error: { message: 'Execution timeout after 1000 ms' },
  });
  await journalled(journal('a'), ({ kind }) => kind === 'cancelled', patience());
  expect(await call(host, 'echo', { text: 'x' })).toMatchObject({ status: 'success' });
});

test('tools that change are offered and can be called', async () => {
  await using fixture = await processHost({ a: {} });
  const { host } = fixture;
  const changed = Promise.withResolvers<void>();
  host.events.subscribe(({ kind }) => kind === 'tools-changed' && changed.resolve());
  expect(await call(host, 'extra')).toMatchObject({ error: { code: 'tool_not_found' } });
  await call(host, 'change-tools');
  await changed.promise;
  expect(await call(host, 'extra')).toMatchObject({ status: 'success' });
});

test('leaves no process running after it was closed', async () => {
  const fixture = await processHost({
    a: { grandchild: 'group' },
    b: {},
    starting: { startDelay: 60_000 },
  });
  const { host, journal } = fixture;
  host.servers.start();
  await call(host, 'echo', { text: 'x' }, { serverId: 'a' });
  await call(host, 'echo', { text: 'x' }, { serverId: 'b' });
  await journalled(journal('starting'), ({ kind }) => kind === 'started', patience());
  const pids = ['a', 'b', 'starting'].flatMap((name) =>
    readJournal(journal(name)).map(({ pid }) => pid),
  );
  await fixture[Symbol.asyncDispose]();
  expect(pids.length).toBeGreaterThan(3);
  for (const pid of pids) expect(await findProcess(pid)).toBeUndefined();
});

test('25 calls that hang at one server do not hold up another', async () => {
  await using fixture = await processHost({ a: {}, b: {} });
  const { host, journal } = fixture;
  const hanging = Array.from({ length: 25 }, () => call(host, 'hang', {}, { serverId: 'a' }));
  await journalled(journal('a'), ({ kind }) => kind === 'call', patience());
  const answered = call(host, 'echo', { text: 'here' }, { serverId: 'b' });
  // Whichever ends first: what hangs is given up only after 30 s.
  expect(await Promise.race([answered, ...hanging])).toMatchObject({ status: 'success' });
  host.stop();
  await Promise.all(hanging);
});
