import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { defineServer } from '../define-server.ts';
import { exampleServer } from '../testing/example-tools.ts';
import { handshake, openHttp, post } from '../testing/open-http.ts';
import { serveOverHttp } from '../testing/serve-in-process.ts';

test('serves 100 clients at once, each only its own messages, and refuses the 101st', async () => {
  await using setting = await serveOverHttp(exampleServer);
  const { url, server } = setting;
  const clients = await Promise.all(Array.from({ length: 100 }, () => openHttp(url)));
  const answers = await Promise.all(
    clients.map(async (client, index) => {
      const params = {
        name: 'count',
        arguments: { to: 3 },
        _meta: { progressToken: `token-${index}` },
      };
      const response = await client.post({ id: 1, method: 'tools/call', params });
      return {
        counted: await response.text(),
        echo: await client.call('echo', { text: `${index}` }),
      };
    }),
  );
  for (const [index, { counted, echo }] of answers.entries()) {
    const session = clients[index]?.id;
    expect(echo.result?.structuredContent).toEqual({ text: `${index}`, session });
    const tokens = [...counted.matchAll(/"progressToken":"([^"]*)"/g)].map((match) => match[1]);
    expect(tokens).toEqual(Array(3).fill(`token-${index}`));
  }
  expect(new Set(clients.map(({ id }) => id)).size).toBe(100);
  expect(server.report().sessions).toHaveLength(100);

  const refused = await post(url, handshake);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('10');
  expect(await refused.json()).toMatchObject({
    error: { message: expect.stringContaining('has 100 clients, its limit') },
  });
  expect(await clients[7]?.call('echo', { text: 'still here' })).toMatchObject({ result: {} });
});

test('tells a client of the others, but not how to take their sessions over', async () => {
  await using setting = await serveOverHttp(exampleServer);
  const [one, other] = [await openHttp(setting.url), await openHttp(setting.url)];
  const { result } = await one.call('health_check', { verbose: true });
  const shown = JSON.stringify(result);
  expect(shown).toContain(one.id);
  expect(shown).toContain(other.id.slice(0, 8));
  expect(shown).not.toContain(other.id);
});

test('drops idle sessions', async () => {
  await using setting = await serveOverHttp(exampleServer, { limits: { clientTimeout: 40 } });
  const client = await openHttp(setting.url);
  await vi.waitFor(() => expect(setting.server.report().sessions).toEqual([]), { timeout: 5_000 });
  const response = await client.post({ id: 1, method: 'ping' });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining('Initialize again') },
  });
});

test('keeps serving old sessions, and only those, when memory has run short', async () => {
  const memory = { used: 0 };
  await using setting = await serveOverHttp(exampleServer, {
    memory: () => memory.used,
    env: { MCP_MEMORY_LIMIT: '100M' },
  });
  const old = await openHttp(setting.url);
  memory.used = 95 * 1024 * 1024;
  const refused = await post(setting.url, handshake);
  expect(refused.status).toBe(503);
  expect(await refused.text()).toContain('MCP_MEMORY_LIMIT');
  expect(await old.call('echo', { text: 'x' })).toMatchObject({ result: {} });
  memory.used = 0;
  await openHttp(setting.url);
});

test('collects garbage before it calls memory short', async () => {
  const memory = { used: 95 * 1024 * 1024, collected: 0 };
  await using setting = await serveOverHttp(exampleServer, {
    memory: () => memory.used,
    collect() {
      memory.collected += 1;
      memory.used = 0;
    },
    limits: { clientTimeout: 40, memoryLimit: 100 * 1024 * 1024 },
  });
  await vi.waitFor(() => expect(memory.collected).toBe(1), { timeout: 5_000 });
  await openHttp(setting.url);
});

test('refuses an id that is in use and still answers the request that has it', async () => {
  await using setting = await serveOverHttp(exampleServer);
  const client = await openHttp(setting.url);
  const params = { name: 'count', arguments: { to: 5 } };
  const first = client.post({ id: 1, method: 'tools/call', params });
  const second = client.post({ id: 1, method: 'tools/call', params });
  const statuses = (await Promise.all([first, second])).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 400]);
});

test('answers a batch of 2025-03-26 with an array', async () => {
  await using setting = await serveOverHttp(exampleServer);
  const old = { ...handshake, params: { ...handshake.params, protocolVersion: '2025-03-26' } };
  const opened = await post(setting.url, old);
  const headers = { 'Mcp-Session-Id': String(opened.headers.get('mcp-session-id')) };
  const batch = [
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: 2, method: 'nothing' },
    { jsonrpc: '2.0', id: 3, method: 5 },
  ];
  const answers = (await (await post(setting.url, batch, headers)).json()) as { id: number }[];
  expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
});

test('asks the client on the answer of the call when there is no stream for it', async () => {
  const definition = defineServer({
    name: 'asking',
    version: '1.0.0',
    sdk: {
      register(server) {
        server.registerTool(
          'ask',
          { description: '', inputSchema: z.object({}) },
          async (_, sdk) => {
            const { action } = await sdk.mcpReq.elicitInput({
              message: 'Really?',
              requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } } },
            });
            return { content: [{ type: 'text', text: `the person says ${action}` }] };
          },
        );
      },
    },
  });
  await using setting = await serveOverHttp(definition);
  const opening = structuredClone(handshake);
  Object.assign(opening.params.capabilities, { elicitation: {} });
  const opened = await post(setting.url, opening);
  const headers = { 'Mcp-Session-Id': String(opened.headers.get('mcp-session-id')) };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } };
  const events = messages(await post(setting.url, call, headers));
  const { value: question } = await events.next();
  expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Really?' } });
  const answer = { jsonrpc: '2.0', id: question?.id, result: { action: 'decline' } };
  expect((await post(setting.url, answer, headers)).status).toBe(202);
  expect((await events.next()).value).toMatchObject({
    id: 1,
    result: { content: [{ text: 'the person says decline' }] },
  });
});

test('turns a long answer into a stream with keep-alives', async () => {
  await using setting = await serveOverHttp(exampleServer, { limits: { keepAlive: 10 } });
  const client = await openHttp(setting.url);
  const params = { name: 'count', arguments: { to: 20 } };
  const response = await client.post({ id: 1, method: 'tools/call', params });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const text = await response.text();
  expect(text).toContain(': waiting\n\n');
  expect(text).toContain('"counted":20');
});

async function* messages(response: Response): AsyncGenerator<{ id?: number }> {
  let rest = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) yield JSON.parse(event.replace(/^event: message\ndata: /, ''));
  }
}
