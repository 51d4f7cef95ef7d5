import { expect, test, vi } from 'vitest';
import { exampleServer } from '../testing/example-tools.ts';
import { handshake, post } from '../testing/open-http.ts';
import { serveOverHttp } from '../testing/serve-in-process.ts';

const sse = { argv: ['--sse', '0'] };

test('names where to post, and answers on the stream', async () => {
  await using setting = await serveOverHttp(exampleServer, sse);
  const { endpoint, next } = await connect(setting.url);
  expect((await post(endpoint, handshake)).status).toBe(202);
  expect(await next()).toMatchObject({ id: 'init', result: { protocolVersion: '2025-11-25' } });
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect(await (await post(endpoint, list)).text()).toBe('Accepted');
  expect(await next()).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
});

test('answers a bad request on the stream and what is no message at once', async () => {
  await using setting = await serveOverHttp(exampleServer, sse);
  const { endpoint, next } = await connect(setting.url);
  const early = await post(endpoint, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  expect(early.status).toBe(400);
  expect(await early.json()).toMatchObject({ id: 1, error: { code: -32_600 } });
  expect((await post(endpoint, '{')).status).toBe(400);
  await post(endpoint, handshake);
  await next();
  const wrong = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 5 } };
  expect((await post(endpoint, wrong)).status).toBe(202);
  expect(await next()).toMatchObject({ id: 2, error: { code: -32_602 } });
});

test('forgets a client whose stream has closed', async () => {
  await using setting = await serveOverHttp(exampleServer, sse);
  const { endpoint, hangUp } = await connect(setting.url);
  expect(setting.server.report().sessions).toMatchObject([{ transport: 'sse' }]);
  hangUp();
  await vi.waitFor(() => expect(setting.server.report().sessions).toEqual([]), { timeout: 5_000 });
  expect((await post(endpoint, handshake)).status).toBe(404);
});

test('refuses one client more than the limit', async () => {
  await using setting = await serveOverHttp(exampleServer, { ...sse, limits: { maxClients: 1 } });
  await connect(setting.url);
  const refused = await fetch(setting.url);
  expect(refused.status).toBe(503);
  expect(await refused.text()).toContain('MCP_MAX_CLIENTS');
});

test('shares a port with Streamable HTTP', async () => {
  await using first = await serveOverHttp(exampleServer);
  const { port } = first.url;
  await first.server.stop();
  const argv = ['--http', port, '--sse', port];
  await using setting = await serveOverHttp(exampleServer, { argv });
  const { transports } = setting.server.report();
  expect(transports.map(({ type, configuration }) => [type, configuration.url])).toEqual([
    ['http', `http://127.0.0.1:${port}/mcp`],
    ['sse', `http://127.0.0.1:${port}/sse`],
  ]);
  await connect(new URL('/sse', setting.url));
  expect((await post(setting.url, handshake)).status).toBe(200);
});

/** Opens a stream and reads where to post. */
async function connect(url: URL) {
  const controller = new AbortController();
  const response = await fetch(url, { signal: controller.signal });
  const events = eventsOf(response);
  const { value } = await events.next();
  return {
    endpoint: new URL(value?.data ?? '', url),
    next: async () => JSON.parse((await events.next()).value?.data ?? 'null') as unknown,
    hangUp: () => controller.abort(),
  };
}

async function* eventsOf(response: Response): AsyncGenerator<{ event: string; data: string }> {
  let rest = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop() ?? '';
    for (const text of events) {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(text) ?? [];
      if (event !== '') yield { event, data };
    }
  }
}
