import { expect, test } from 'vitest';
import { ConnectionBench, callText, soon } from '../../testing/connection-bench.ts';
import { journalled } from '../../testing/journal.ts';
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

test.each(eras)(
  'passes progress on, and notifies a %s server of a cancellation',
  async (protocolVersion) => {
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
    const call = connection.callTool(
      { tool: 'hang', arguments: {} },
      { signal: controller.signal },
    );
    await journalled(bench.journal, ({ tool }) => tool === 'hang', soon());
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await journalled(bench.journal, ({ kind }) => kind === 'cancelled', soon());
    while (server.openCalls > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  },
);

test.each(eras)('notices that the tools of a %s server changed', async (protocolVersion) => {
  await using bench = new ConnectionBench();
  await using server = await new ScriptedHttpServer({ protocolVersion }).start();
  const connection = await bench.external(server.url);
  await listening(server);
  const changed = new Promise<void>((resolve) => connection.onToolsChanged(resolve));
  await callText(connection, 'change-tools');
  await changed;
  expect((await connection.listTools(soon())).map(({ name }) => name)).toContain('extra');
});

test('follows redirects within the origin only', async () => {
  await using bench = new ConnectionBench();
  await using other = await new ScriptedHttpServer().start();
  const to = other.url;
  await using server = await new ScriptedHttpServer({}, { redirect: { to, status: 307 } }).start();
  await expect(bench.external(server.url)).rejects.toMatchObject({
    code: 'settings_invalid',
    message: expect.stringContaining(`redirects to ${to}`),
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
    advice: [
      { kind: 'log-in', server: 'scripted' },
      { kind: 'set-token', server: 'scripted' },
    ],
  });
});

test('says what is wrong with an address', async () => {
  await using bench = new ConnectionBench();
  const server = await new ScriptedHttpServer().start();
  await expect(bench.external(server.url.replace('/mcp', '/nothing'))).rejects.toThrow(
    'answered 404',
  );
  await expect(bench.external(server.url.replace('/mcp', '/page'))).rejects.toThrow(
    'answered with text/html instead of MCP',
  );
  await server.stop();
  await expect(bench.external(server.url)).rejects.toMatchObject({ facts: { neverSent: true } });
  await expect(bench.external('ftp://somewhere')).rejects.toMatchObject({
    code: 'settings_invalid',
    facts: { path: 'httpConfig.url' },
  });
});

test('leaves a session when it is closed', async () => {
  await using bench = new ConnectionBench();
  await using server = await new ScriptedHttpServer().start();
  const connection = await bench.external(server.url);
  await connection[Symbol.asyncDispose]();
  expect(server.requests.at(-1)?.line).toBe('DELETE /mcp');
});

/** Waits until the client has opened the stream on which the server speaks unasked. */
async function listening(server: ScriptedHttpServer): Promise<void> {
  while (!server.isHeard) await new Promise((resolve) => setTimeout(resolve, 10));
}
