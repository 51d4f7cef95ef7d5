import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineServer } from './define-server.ts';
import { defineTool } from './define-tool.ts';
import { exampleTools } from './testing/example-tools.ts';
import { openHttp, post } from './testing/open-http.ts';
import { serveOverHttp, serveToRawClient } from './testing/serve-in-process.ts';

/** A request of revision 2026-07-28, which has no session. */
async function callModern(url: URL, name: string, input: object) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name, arguments: input, _meta: meta };
  const headers = {
    'Mcp-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': name,
  };
  const response = await post(
    url,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    headers,
  );
  return resultOf(await response.text());
}

/** What a call answered, as JSON or on a stream. */
function resultOf(text: string) {
  const line = text.split('\n').find((each) => each.startsWith('data: {'));
  const { result } = JSON.parse(line?.slice('data: '.length) ?? text) as {
    result: { isError?: boolean; content: { text: string }[] };
  };
  return { isError: result.isError === true, body: JSON.parse(result.content[0]?.text ?? '{}') };
}

function gated() {
  const released = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const memory = { used: 100 };
  const definition = defineServer({
    name: 'gated',
    version: '1.0.0',
    tools: [
      ...exampleTools,
      defineTool({
        name: 'hold',
        description: 'Answers when it is told.',
        input: z.object({}),
        async handler() {
          started.resolve();
          await released.promise;
          return { held: true };
        },
      }),
    ],
  });
  const options = { memory: () => memory.used, limits: { memoryLimit: 100_000_000 } };
  return { definition, options, memory, released, started };
}

const short = {
  isError: true,
  body: {
    error: 'mcp_unavailable',
    message: expect.stringContaining('short of memory'),
    details: { reason: 'memory', retry_after: 10 },
  },
};

test('refuses calls of both protocol eras when memory is used up, but answers about its health', async () => {
  const { definition, options, memory } = gated();
  await using setting = await serveOverHttp(definition, options);
  const legacy = await openHttp(setting.url);
  memory.used = 95_000_000;
  const call = async (name: string) => {
    const params = { name, arguments: name === 'echo' ? { text: 'x' } : {} };
    const response = await legacy.post({ id: name, method: 'tools/call', params });
    return resultOf(await response.text());
  };
  expect(await call('echo')).toMatchObject(short);
  expect(await callModern(setting.url, 'echo', { text: 'x' })).toMatchObject(short);
  expect(await call('health_check')).toMatchObject({
    isError: false,
    body: { status: 'degraded' },
  });
  const modern = await callModern(setting.url, 'health_check', {});
  expect(modern).toMatchObject({ isError: false, body: { status: 'degraded' } });
  memory.used = 100;
  expect(await call('echo')).toMatchObject({ isError: false });
  expect(await callModern(setting.url, 'echo', { text: 'x' })).toMatchObject({ isError: false });
});

test('lets calls of both protocol eras wait while others run, and starts them when there is room', async () => {
  const { definition, options, memory, released, started } = gated();
  await using setting = await serveOverHttp(definition, options);
  const legacy = await openHttp(setting.url);
  const holding = legacy.call('hold');
  await started.promise;
  memory.used = 95_000_000;
  const waiting = [
    legacy.call('echo', { text: 'legacy' }),
    callModern(setting.url, 'echo', { text: 'modern' }),
  ];
  released.resolve();
  await holding;
  memory.used = 100;
  const [first, second] = await Promise.all(waiting);
  expect(first).toMatchObject({ result: { structuredContent: { text: 'legacy' } } });
  expect(second).toMatchObject({ isError: false, body: { text: 'modern' } });
});

test('refuses a large body with 503 before it is read', async () => {
  const { definition, options, memory } = gated();
  await using setting = await serveOverHttp(definition, options);
  const legacy = await openHttp(setting.url);
  memory.used = 95_000_000;
  const params = { name: 'echo', arguments: { text: 'x'.repeat(100_000) } };
  const response = await legacy.post({ id: 1, method: 'tools/call', params });
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('10');
  expect(await response.text()).toContain('short of memory');
});

test('lists only tools that are offered, and a call of another says why not', async () => {
  const tool = (name: string, version: number) =>
    defineTool({
      name,
      description: name,
      input: z.object({}),
      output: z.object({ done: z.string() }),
      metadata: { version, toolset: 'all' },
      handler: () => ({ done: name }),
    });
  const definition = defineServer({
    name: 'choosy',
    version: '1.0.0',
    tools: [tool('old', 1), tool('new', 9)],
    whyNotOffered: async ({ metadata }) =>
      Number(metadata?.version) > 5 ? 'This needs a newer service.' : undefined,
  });
  await using setting = await serveToRawClient(definition);
  await setting.client.initialize();
  const { result } = await setting.client.request('tools/list');
  expect(result?.tools).toMatchObject([
    {
      name: 'old',
      _meta: { version: 1, toolset: 'all' },
      inputSchema: { type: 'object', additionalProperties: false },
      outputSchema: { type: 'object', properties: { done: { type: 'string' } } },
    },
    { name: 'health_check' },
  ]);
  const refused = await setting.client.call('new');
  expect(refused).toMatchObject({
    result: {
      isError: true,
      content: [{ text: expect.stringContaining('This needs a newer service.') }],
    },
  });
  expect(await setting.client.call('old')).toMatchObject({
    result: { structuredContent: { done: 'old' } },
  });
});

test('shows its capabilities, sessions, last errors and the metadata of its tools to who asks for all', async () => {
  await using setting = await serveToRawClient(
    defineServer({
      name: 'example',
      version: '1.2.3',
      tools: [
        defineTool({
          name: 'say',
          description: 'Says it.',
          input: z.object({}),
          metadata: { toolset: 'talk' },
          handler: () => 'it',
        }),
      ],
    }),
  );
  const { client } = setting;
  await client.initialize();
  client.send({ jsonrpc: '2.0', id: 'stray', result: {} });
  const { result } = await client.call('health_check', { verbose: true });
  const server = (result?.structuredContent as Record<string, unknown> | undefined)?.server;
  const lastError = { message: expect.stringContaining('stray'), at: expect.any(String) };
  expect(server).toMatchObject({
    status: 'running',
    start_time: expect.any(String),
    capabilities: { tools: { listChanged: false } },
    transports: [{ type: 'stdio', is_active: true, last_error: expect.stringContaining('stray') }],
    sessions: [
      {
        transport: 'stdio',
        status: 'connected',
        connection_time: expect.any(String),
        last_error: lastError,
      },
    ],
    tools: [{ name: 'say', metadata: { toolset: 'talk' } }, { name: 'health_check' }],
  });
  const short = await client.call('health_check');
  expect(short.result?.structuredContent).not.toHaveProperty('server');
});

test('remembers a session whose connection broke, with the reason', async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const argv = ['--stdio', '--http', '0'];
  const options = { stdin, stdout, argv };
  await using setting = await serveToRawClient(
    defineServer({ name: 'x', version: '1.0.0' }),
    options,
  );
  const broken = new Error('The pipe broke.');
  stdin.emit('error', broken);
  await expect
    .poll(() => setting.server.report().failedSessions)
    .toMatchObject([
      { transport: 'stdio', status: 'error', lastError: { message: 'The pipe broke.' } },
    ]);
});

test('logs each message with its time and how long it took', async () => {
  const stderr = new PassThrough();
  let logged = '';
  stderr.on('data', (chunk) => {
    logged += chunk;
  });
  const argv = ['--log-level', 'debug'];
  const definition = defineServer({ name: 'x', version: '1.0.0', tools: exampleTools });
  await using setting = await serveToRawClient(definition, { argv, stderr });
  await setting.client.initialize();
  await setting.client.call('echo', { text: 'a secret' });
  const lines = logged.split('\n').filter((line) => line.includes('a message was served'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { method: 'initialize', outcome: 'answered' },
    {
      method: 'tools/call',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      ms: expect.any(Number),
      outcome: 'answered',
      transport: 'stdio',
    },
  ]);
  expect(logged).not.toContain('a secret');
});

test('offers only what is chosen on the command line', async () => {
  const definition = defineServer({ name: 'x', version: '1.0.0', tools: exampleTools });
  await using setting = await serveToRawClient(definition, { argv: ['--read-only'] });
  await setting.client.initialize();
  const { result } = await setting.client.request('tools/list');
  expect(result?.tools).toMatchObject([{ name: 'echo' }, { name: 'health_check' }]);
  const unknown = serveToRawClient(definition, { argv: ['--tools', 'eco'] });
  await expect(unknown).rejects.toThrow(/eco is not known/);
});
