import { fileURLToPath } from 'node:url';
import {
  Client,
  ProtocolError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test, vi } from 'vitest';
import { exampleServer, exampleTools } from './testing/example-tools.ts';
import { openHttp } from './testing/open-http.ts';
import { serveOverHttp, serveToRawClient } from './testing/serve-in-process.ts';

const program = fileURLToPath(new URL('./testing/fixture-program.ts', import.meta.url));

type Open = () => Promise<AsyncDisposable & { readonly transport: () => Transport }>;

const stdio: Open = async () => ({
  transport: () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [program, '--greeting', 'hello', '--log-level', 'silent'],
    }),
  async [Symbol.asyncDispose]() {},
});
const http: Open = async () => {
  const { url, server } = await serveOverHttp(exampleServer);
  const transport = () => new StreamableHTTPClientTransport(url);
  return { transport, [Symbol.asyncDispose]: () => server.stop() };
};
const sse: Open = async () => {
  const { url, server } = await serveOverHttp(exampleServer, { argv: ['--sse', '0'] });
  const transport = () => new SSEClientTransport(url);
  return { transport, [Symbol.asyncDispose]: () => server.stop() };
};

describe.each([
  { name: 'stdio, 2025-11-25', open: stdio, mode: 'legacy' as const },
  { name: 'stdio, 2026-07-28', open: stdio, mode: { pin: '2026-07-28' } },
  { name: 'Streamable HTTP, 2025-11-25', open: http, mode: 'legacy' as const },
  { name: 'Streamable HTTP, 2026-07-28', open: http, mode: { pin: '2026-07-28' } },
  { name: 'HTTP+SSE, 2025-11-25', open: sse, mode: 'legacy' as const },
])('over $name', ({ name, open, mode }) => {
  test('serves the official client', async () => {
    await using setting = await open();
    const client = new Client(
      { name: 'official', version: '1.0.0' },
      { versionNegotiation: { mode } },
    );
    await client.connect(setting.transport());
    expect(name).toContain(client.getNegotiatedProtocolVersion());

    const { tools } = await client.listTools();
    expect(tools.find((tool) => tool.name === 'echo')).toMatchObject({
      inputSchema: { properties: { text: { type: 'string' } }, additionalProperties: false },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    });
    expect(tools.map((tool) => tool.name)).toContain('health_check');

    const progress: unknown[] = [];
    const counted = await client.callTool(
      { name: 'count', arguments: { to: 3 } },
      { onprogress: (each) => progress.push(each.progress) },
    );
    expect(counted.structuredContent).toEqual({ counted: 3 });
    expect(progress).toEqual([1, 2, 3]);

    const refused = await client.callTool({ name: 'refuse', arguments: {} });
    expect(refused).toMatchObject({ isError: true, content: [{ type: 'text' }] });
    const unknown = client.callTool({ name: 'nothing', arguments: {} });
    await expect(unknown).rejects.toThrow(ProtocolError);
    await expect(unknown).rejects.toMatchObject({ code: -32_602 });

    const cancel = new AbortController();
    const hanging = client.callTool({ name: 'hang', arguments: {} }, { signal: cancel.signal });
    cancel.abort();
    await expect(hanging).rejects.toThrow();
    const echo = await client.callTool({ name: 'echo', arguments: { text: 'after' } });
    expect(echo.structuredContent).toMatchObject({ text: 'after' });
    await client.close();
  });
});

test('serves standard input and HTTP at once, and goes on with HTTP when the input ends', async () => {
  const argv = ['--stdio', '--http', '0'];
  await using setting = await serveToRawClient(exampleServer, { argv });
  const { client, server } = setting;
  await client.initialize();
  expect(server.report().sessions).toMatchObject([{ transport: 'stdio' }]);
  client.end();
  await vi.waitFor(() => expect(server.report().sessions).toEqual([]), { timeout: 5_000 });
  expect(server.report()).toMatchObject({
    status: 'running',
    transports: [
      { type: 'http', isActive: true },
      { type: 'stdio', isActive: false },
    ],
  });
});

test('reports its name, version, transports, sessions and tools', async () => {
  const now = Date.UTC(2026, 0, 1);
  await using setting = await serveToRawClient(exampleServer, { now: () => now });
  await setting.client.initialize();
  const { id, tools, ...report } = setting.server.report();
  expect(id).not.toBe('');
  expect(tools).toContainEqual({
    name: 'echo',
    description: 'Answers what it was given.',
    metadata: {},
    registrationTime: new Date(now),
  });
  expect(report).toEqual({
    name: 'example',
    version: '1.2.3',
    status: 'running',
    startTime: new Date(now),
    transports: [{ type: 'stdio', isActive: true, configuration: {}, lastError: undefined }],
    capabilities: { tools: { listChanged: false } },
    failedSessions: [],
    sessions: [
      {
        sessionId: expect.any(String),
        transport: 'stdio',
        capabilities: { roots: {} },
        connectionTime: new Date(now),
        lastActivity: new Date(now),
        status: 'connected',
        lastError: undefined,
      },
    ],
  });
});

test('reports the last error of each transport', async () => {
  const argv = ['--stdio', '--http', '0'];
  await using setting = await serveToRawClient(exampleServer, { argv });
  const lastErrors = () =>
    setting.server.report().transports.map(({ type, lastError }) => [type, lastError?.message]);
  expect(lastErrors()).toEqual([
    ['http', undefined],
    ['stdio', undefined],
  ]);
  await setting.client.initialize();
  // An answer to a question that nobody asked.
  const stray = { jsonrpc: '2.0', id: 'stray', result: {} };
  setting.client.send(stray);
  const [http] = setting.server.report().transports;
  const session = await openHttp(String(http?.configuration.url));
  expect((await session.post(stray)).status).toBe(202);
  await vi.waitFor(() =>
    expect(lastErrors()).toEqual([
      ['http', expect.stringContaining('stray')],
      ['stdio', expect.stringContaining('stray')],
    ]),
  );
});

test('stops by itself when its only client has gone', async () => {
  await using setting = await serveToRawClient(exampleServer);
  setting.client.end();
  await setting.server.stopped;
  expect(setting.server.report()).toMatchObject({ status: 'stopped', sessions: [] });
});

test("shows the server's own issues, and a health check that fails or hangs", async () => {
  const health = async (own: () => Promise<{ issues?: string[] }>) => {
    const definition = { ...exampleServer, health: own };
    await using setting = await serveToRawClient(definition);
    return await setting.server.health();
  };
  expect(await health(async () => ({ issues: ['The disk is full.'] }))).toMatchObject({
    status: 'degraded',
    issues: ['The disk is full.'],
  });
  const failed = await health(() => Promise.reject(new Error('secret')));
  expect(failed.issues).toEqual(["The server's own health check failed; see the log."]);
  const hung = await health(() => new Promise(() => {}));
  expect(hung.issues).toEqual(["The server's own health check took more than 2000 ms."]);
});

test.each([
  ['a port cannot be had', 'address_unavailable', []],
  ['two tools have one name', 'invalid_definition', exampleTools],
])('gives its resources back when %s', async (_, code, tools) => {
  let isStopped = false;
  const definition = {
    ...exampleServer,
    start: () => ({
      tools,
      stop() {
        isStopped = true;
      },
    }),
  };
  await using first = await serveOverHttp(exampleServer);
  const second = serveOverHttp(definition, { argv: ['--http', first.url.port] });
  await expect(second).rejects.toMatchObject({ code });
  expect(isStopped).toBe(true);
});
