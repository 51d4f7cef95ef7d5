import { expect, test } from 'vitest';
import { ConnectionBench, callText, soon } from '../../testing/connection-bench.ts';
import { CuttingProxy } from '../../testing/cutting-proxy.ts';
import { journalled, readJournal } from '../../testing/journal.ts';
import { ScriptedHttpServer } from '../../testing/scripted-http-server.ts';

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const eras = ['2025-11-25', '2026-07-28'];

test.each(versions.flatMap((version) => [true, false].map((json) => [version, json] as const)))(
  'speaks %s over Streamable HTTP, answered in one document: %s',
  async (protocolVersion, json) => {
    await using bench = new ConnectionBench();
    await using server = await new ScriptedHttpServer({ protocolVersion }, { json }).start();
    const connection = await bench.external(server.url);
    expect(connection.server).toMatchObject({ name: 'scripted', protocolVersion });
    expect((await connection.listTools(soon())).length).toBeGreaterThan(10);
    expect(await callText(connection, 'echo', { text: 'ü' })).toBe('ü');
    await connection.ping(soon());
  },
);

test('speaks the older SSE transport', async () => {
  await using bench = new ConnectionBench();
  await using server = await new ScriptedHttpServer().start();
  const connection = await bench.external(server.sseUrl, { transport: 'sse' });
  expect((await connection.listTools(soon())).length).toBeGreaterThan(10);
  expect(await callText(connection, 'echo', { text: 'old' })).toBe('old');
});

test('remembers the era of a server and asks no more than it must', async () => {
  await using bench = new ConnectionBench();
  await using server = await new ScriptedHttpServer({ protocolVersion: '2025-06-18' }).start();
  await bench.external(server.url, { id: 'a' });
  expect(bench.host.eras.get('a')).toBe('legacy');
  const before = server.requests.length;
  await bench.external(server.url, { id: 'a' });
  const posts = server.requests.slice(before).filter(({ line }) => line.startsWith('POST'));
  expect(posts).toHaveLength(2);
});

test('finds the era anew when a server has changed', async () => {
  await using bench = new ConnectionBench();
  await using server = await new ScriptedHttpServer({ protocolVersion: '2026-07-28' }).start();
  bench.host.eras.set('a', 'legacy');
  const connection = await bench.external(server.url, { id: 'a' });
  expect(connection.server.protocolVersion).toBe('2026-07-28');
  expect(bench.host.eras.get('a')).toBe('modern');
});

test.each(eras)('passes progress, and tells a %s server of a cancel', async (protocolVersion) => {
  await using bench = new ConnectionBench();
  const script = { protocolVersion, journal: bench.journal };
  await using server = await new ScriptedHttpServer(script).start();
  const connection = await bench.external(server.url);
  const steps: number[] = [];
  await connection.callTool(
    { tool: 'progress', arguments: {} },
    { signal: soon(), onProgress: ({ progress }) => steps.push(progress) },
  );
  expect(steps).toEqual([1, 2, 3]);
  const controller = new AbortController();
  const call = connection.callTool({ tool: 'hang', arguments: {} }, { signal: controller.signal });
  await journalled(bench.journal, ({ tool }) => tool === 'hang', soon());
  controller.abort();
  await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  await journalled(bench.journal, ({ kind }) => kind === 'cancelled', soon());
});

test.each(eras)('hears that the tools of a %s server changed', async (protocolVersion) => {
  await using bench = new ConnectionBench();
  await using server = await new ScriptedHttpServer({ protocolVersion }).start();
  const connection = await bench.external(server.url);
  await listening(server);
  const changed = new Promise<void>((resolve) => connection.onToolsChanged(resolve));
  await callText(connection, 'change-tools');
  await changed;
  expect((await connection.listTools(soon())).map(({ name }) => name)).toContain('extra');
});

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

test('works again, without a new connection, after the server was restarted', async () => {
  await using bench = new ConnectionBench();
  await using server = await new ScriptedHttpServer({}, { json: true }).start();
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
      message: expect.stringContaining('Whether it did what was asked is not known'),
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

test('refuses to be sent on to another origin, and follows within its own', async () => {
  await using bench = new ConnectionBench();
  await using other = await new ScriptedHttpServer().start();
  const to = other.url;
  await using server = await new ScriptedHttpServer({}, { redirect: { to, status: 307 } }).start();
  await expect(bench.external(server.url)).rejects.toMatchObject({
    code: 'server_unavailable',
    message: expect.stringContaining(`sends us on to ${to}`),
  });
  expect(other.requests).toEqual([]);
  server.faults.redirect = { to: '/mcp', status: 307 };
  await expect(bench.external(server.url)).rejects.toThrow('not followed');
  delete server.faults.redirect;
  const connection = await bench.external(server.url.replace('/mcp', '/moved'));
  expect(await callText(connection, 'echo', { text: 'found' })).toBe('found');
});

test('sends the configured headers', async () => {
  await using bench = new ConnectionBench();
  await using server = await new ScriptedHttpServer({}, { token: 'secret' }).start();
  const headers = { Authorization: 'Bearer secret', 'X-Team': 'blue' };
  const connection = await bench.external(server.url, { httpConfig: { url: server.url, headers } });
  await connection.ping(soon());
  expect(server.requests.every((request) => request.headers['x-team'] === 'blue')).toBe(true);
  await expect(bench.external(server.url)).rejects.toMatchObject({
    code: 'login_required',
    message: expect.stringContaining('errand servers login scripted'),
  });
});

test('says what is wrong with an address', async () => {
  await using bench = new ConnectionBench();
  const server = await new ScriptedHttpServer().start();
  await expect(bench.external(server.url.replace('/mcp', '/nothing'))).rejects.toThrow(
    'There is no MCP server',
  );
  await server.stop();
  await expect(bench.external(server.url)).rejects.toMatchObject({ facts: { neverSent: true } });
  await expect(bench.external('ftp://somewhere')).rejects.toMatchObject({
    code: 'settings_invalid',
    facts: { path: 'httpConfig.url' },
  });
});

test.each(eras)(
  'delivers 10 MiB, refuses 70 MiB, and keeps the connection (%s)',
  async (protocolVersion) => {
    await using bench = new ConnectionBench();
    await using server = await new ScriptedHttpServer({ protocolVersion }).start();
    const connection = await bench.external(server.url);
    const mebibyte = 1024 * 1024;
    for (const json of [true, false]) {
      server.faults.json = json;
      expect(await callText(connection, 'large', { bytes: 10 * mebibyte })).toHaveLength(
        10 * mebibyte,
      );
      await expect(callText(connection, 'large', { bytes: 70 * mebibyte })).rejects.toMatchObject({
        code: 'result_too_large',
      });
      expect(await callText(connection, 'echo', { text: 'on' })).toBe('on');
    }
  },
);

test('leaves a session when it is closed', async () => {
  await using bench = new ConnectionBench();
  await using server = await new ScriptedHttpServer().start();
  const connection = await bench.external(server.url);
  await connection[Symbol.asyncDispose]();
  expect(server.requests.at(-1)?.line).toBe('DELETE /mcp');
});

/** Waits until the client has opened the stream on which the server speaks unasked. */
async function listening(server: ScriptedHttpServer): Promise<void> {
  await eventually(async () => {
    if (!server.isHeard) throw new Error('Nobody listens yet.');
  });
}

/** What an attempt gives once it works; a hang ends with the test. */
async function eventually<Value>(attempt: () => Promise<Value>): Promise<Value> {
  for (;;) {
    const result = await attempt().then(
      (value) => ({ value }),
      () => undefined,
    );
    if (result !== undefined) return result.value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
