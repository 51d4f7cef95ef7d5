import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerConfig } from '@errand/host';
import { type ManualClock, memoryHost } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { ConnectionBench, callText, soon } from '../../testing/connection-bench.ts';
import { CuttingProxy } from '../../testing/cutting-proxy.ts';
import { journalled, readJournal } from '../../testing/journal.ts';
import { ScriptedHttpServer } from '../../testing/scripted-http-server.ts';
import { scriptedServerConfig } from '../../testing/scripted-server-config.ts';
import { ExternalConnector } from './external-connector.ts';

test.each([404, 400] as const)(
  'rebuilds a session that was lost with %i, once for all calls',
  async (sessionRefusal) => {
    await using bench = new ConnectionBench();
    const script = { journal: bench.journal };
    await using server = await new ScriptedHttpServer(script, { sessionRefusal }).start();
    const connection = await bench.external(server.url);
    server.forgetSessions();
    const before = server.requests.length;
    const answers = await Promise.all([1, 2, 3].map(() => callText(connection, 'write')));
    expect(answers).toEqual(['written', 'written', 'written']);
    expect(readJournal(bench.journal).filter(({ tool }) => tool === 'write')).toHaveLength(3);
    const withoutSession = server.requests
      .slice(before)
      .filter(({ headers }) => headers['mcp-session-id'] === undefined);
    expect(withoutSession).toHaveLength(1);
  },
);

test('lets the calls of a lost session finish, and opens one new session for all others', async () => {
  await using bench = new ConnectionBench();
  const script = { journal: bench.journal };
  await using server = await new ScriptedHttpServer(script).start();
  const connection = await bench.external(server.url);
  const file = join(bench.folder, 'go');
  const early = Array.from({ length: 10 }, () => callText(connection, 'wait', { file }));
  while (server.openCalls < 10) await new Promise((resolve) => setTimeout(resolve, 10));
  server.forgetSessions();
  const before = server.requests.length;
  const late = Array.from({ length: 10 }, () => callText(connection, 'write'));
  expect(await Promise.all(late)).toEqual(Array(10).fill('written'));
  writeFileSync(file, '');
  expect(await Promise.all(early)).toEqual(Array(10).fill('it is there'));
  expect(readJournal(bench.journal).filter(({ tool }) => tool === 'write')).toHaveLength(10);
  const opened = server.requests
    .slice(before)
    .filter(({ headers }) => headers['mcp-session-id'] === undefined);
  expect(opened).toHaveLength(1);
});

test('reports a server that forgets every session, without endless retries', async () => {
  await using bench = new ConnectionBench();
  await using server = await new ScriptedHttpServer({}, { noStream: true }).start();
  const connection = await bench.external(server.url);
  server.faults.forgetful = true;
  server.forgetSessions();
  const before = server.requests.length;
  await expect(callText(connection, 'write')).rejects.toMatchObject({
    code: 'server_unavailable',
    message: expect.stringContaining('forgets every session'),
    // Nothing repeats a tool that acts on the word of such a server.
    facts: expect.not.objectContaining({ neverSent: true }),
  });
  expect(server.requests.length - before).toBeLessThan(20);
});

test.each(['http', 'sse'] as const)(
  'finds out by its periodic check that a connection over %s went silent, and makes a new one',
  async (transport) => {
    await using bench = new ConnectionBench();
    await using server = await new ScriptedHttpServer().start();
    const address = transport === 'sse' ? server.sseUrl : server.url;
    await using proxy = await new CuttingProxy(address).start();
    const entry: ServerConfig = {
      ...scriptedServerConfig({}, { id: 'a', name: 'far' }),
      deploymentType: 'external',
      transport,
      [transport === 'sse' ? 'sseConfig' : 'httpConfig']: { url: proxy.url },
    };
    const connectors = { external: new ExternalConnector({ host: bench.host }) };
    await using fixture = await memoryHost([entry], {}, { connectors });
    const { host, clock, notices } = fixture;
    const state = () => host.servers.snapshot('a');
    await host.servers.tools('a', soon());
    await clock.advance(30_000);
    await expect.poll(() => state().lastPingAt, { timeout: 15_000 }).toBe(clock.now());
    proxy.freeze();
    await missedCheck(proxy, clock);
    // One missed check alone is no loss.
    expect(state()).toMatchObject({ connectionState: 'connected', lastPingAt: 1_030_000 });
    await missedCheck(proxy, clock);
    expect(state()).toMatchObject({ connectionState: 'error' });
    expect(notices.map(({ message }) => message)).toContain(
      'MCP server far disconnected, retrying...',
    );
    proxy.cut();
    await clock.advance(1_500);
    await expect.poll(() => state().connectionState, { timeout: 15_000 }).toBe('connected');
  },
);

async function missedCheck(proxy: CuttingProxy, clock: ManualClock): Promise<void> {
  const { held } = proxy;
  await clock.advance(30_000);
  await expect.poll(() => proxy.held, { timeout: 15_000 }).toBeGreaterThan(held);
  await clock.advance(5_000);
}

test('works again, without a new connection, after the server was restarted', async () => {
  await using bench = new ConnectionBench();
  await using server = await new ScriptedHttpServer({}, { noStream: true }).start();
  const connection = await bench.external(server.url);
  await callText(connection, 'echo', { text: 'before' });
  const changed = new Promise<void>((resolve) => connection.onToolsChanged(resolve));
  await server.stop();
  await server.start();
  expect(await eventually(() => callText(connection, 'echo', { text: 'after' }))).toBe('after');
  await changed;
});

test('says that a server is gone as soon as its stream breaks', async () => {
  await using bench = new ConnectionBench();
  const server = await new ScriptedHttpServer().start();
  const connection = await bench.external(server.url);
  await listening(server);
  await server.stop();
  expect(await connection.lost).toMatchObject({
    code: 'server_unavailable',
    message: expect.stringContaining('nothing listens there'),
  });
  await expect(callText(connection, 'write')).rejects.toHaveProperty('facts.neverSent', true);
});

test('listens again when a stream has ended, and reads what may have changed', async () => {
  await using bench = new ConnectionBench();
  await using server = await new ScriptedHttpServer({ protocolVersion: '2026-07-28' }).start();
  const connection = await bench.external(server.url);
  await listening(server);
  const changed = new Promise<void>((resolve) => connection.onToolsChanged(resolve));
  server.endStreams();
  await changed;
  const changedAgain = new Promise<void>((resolve) => connection.onToolsChanged(resolve));
  await callText(connection, 'change-tools');
  await changedAgain;
});

test('reopens a stream of the older era after it ended', async () => {
  await using bench = new ConnectionBench();
  await using server = await new ScriptedHttpServer().start();
  const connection = await bench.external(server.url);
  await listening(server);
  const streams = () => server.requests.filter(({ line }) => line === 'GET /mcp').length;
  server.endStreams();
  while (streams() < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  const changed = new Promise<void>((resolve) => connection.onToolsChanged(resolve));
  await callText(connection, 'change-tools');
  await changed;
});

test('says that an SSE server is gone, and fails the call that waits', async () => {
  await using bench = new ConnectionBench();
  const server = await new ScriptedHttpServer({ journal: bench.journal }).start();
  const connection = await bench.external(server.sseUrl, { transport: 'sse' });
  const call = callText(connection, 'hang');
  await journalled(bench.journal, ({ tool }) => tool === 'hang', soon());
  await server.stop();
  await expect(call).rejects.toMatchObject({ code: 'server_unavailable' });
  expect((await connection.lost).code).toBe('server_unavailable');
});

test.each(['before-head', 'in-body'] as const)(
  'fails a call whose connection is cut %s, without claiming that it was not sent',
  async (cut) => {
    await using bench = new ConnectionBench();
    await using server = await new ScriptedHttpServer({}, { cut }).start();
    const connection = await bench.external(server.url);
    const call = callText(connection, 'write');
    await expect(call).rejects.toMatchObject({
      code: 'server_unavailable',
      message: expect.stringContaining('It is not known whether the request took effect'),
    });
    await expect(call).rejects.not.toHaveProperty('facts.neverSent');
    delete server.faults.cut;
    expect(await callText(connection, 'echo', { text: 'on' })).toBe('on');
  },
);

test('survives a proxy that cuts its connections', async () => {
  await using bench = new ConnectionBench();
  await using server = await new ScriptedHttpServer().start();
  await using proxy = await new CuttingProxy(server.url).start();
  const connection = await bench.external(proxy.url);
  for (let round = 0; round < 5; round += 1) {
    proxy.cut();
    expect(await eventually(() => callText(connection, 'echo', { text: 'on' }))).toBe('on');
  }
});

test.each([true, false])(
  'delivers 10 MiB, refuses 70 MiB, and keeps the connection, answered in one document: %s',
  async (json) => {
    await using bench = new ConnectionBench();
    await using server = await new ScriptedHttpServer({}, { json }).start();
    const connection = await bench.external(server.url);
    const mebibyte = 1024 * 1024;
    const large = (mebibytes: number) =>
      callText(connection, 'large', { bytes: mebibytes * mebibyte });
    expect(await large(10)).toHaveLength(10 * mebibyte);
    await expect(large(70)).rejects.toMatchObject({ code: 'result_too_large' });
    expect(await callText(connection, 'echo', { text: 'on' })).toBe('on');
  },
);

/** Waits until the client has opened the stream on which the server speaks unasked. */
async function listening(server: ScriptedHttpServer): Promise<void> {
  while (!server.isHeard) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** What an attempt gives once it works. */
async function eventually<Value>(attempt: () => Promise<Value>): Promise<Value> {
  for (let tries = 0; tries < 5000; tries += 1) {
    const result = await attempt().then(
      (value) => ({ value }),
      () => undefined,
    );
    if (result !== undefined) return result.value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return attempt();
}
