import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { defineServer } from '../define-server.ts';
import { defineTool } from '../define-tool.ts';
import { exampleTools } from '../testing/example-tools.ts';
import { handshake, openHttp, post } from '../testing/open-http.ts';
import { serveOverHttp } from '../testing/serve-in-process.ts';

test('cancels a call whose client hangs up', async () => {
  const { server: definition, cancelled, begun } = watchedServer();
  await using setting = await serveOverHttp(definition);
  const client = await openHttp(setting.url);
  const hangUp = new AbortController();
  const call = client.post(
    { id: 1, method: 'tools/call', params: { name: 'watch' } },
    hangUp.signal,
  );
  await begun;
  hangUp.abort();
  await expect(call).rejects.toThrow('aborted');
  await cancelled;
  // Its id is free again, and its session goes on.
  expect((await client.post({ id: 1, method: 'ping' })).status).toBe(200);
});

test('cancels a call of 2026-07-28 whose client hangs up, and keeps no session for it', async () => {
  const { server: definition, cancelled, begun } = watchedServer();
  await using setting = await serveOverHttp(definition);
  const hangUp = new AbortController();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { sampling: {} },
  };
  const params = { name: 'watch', arguments: {}, _meta };
  const call = fetch(setting.url, {
    method: 'POST',
    headers: {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'watch',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal: hangUp.signal,
  });
  await begun;
  expect(setting.server.report().sessions).toMatchObject([{ capabilities: { sampling: {} } }]);
  hangUp.abort();
  await expect(call).rejects.toThrow('aborted');
  await cancelled;
  await vi.waitFor(() => expect(setting.server.report().sessions).toEqual([]), { timeout: 5_000 });
});

test('cancels a call when the client says so, and ends its answer', async () => {
  const { server: definition, cancelled, begun } = watchedServer();
  await using setting = await serveOverHttp(definition);
  const client = await openHttp(setting.url);
  const call = client.post({ id: 1, method: 'tools/call', params: { name: 'watch' } });
  await begun;
  const params = { requestId: 1 };
  const accepted = await client.post({ method: 'notifications/cancelled', params });
  expect(accepted.status).toBe(202);
  await cancelled;
  expect(await (await call).text()).toBe('');
});

test('lets running calls finish when it stops, and cancels those that do not', async () => {
  const { server: definition, begun } = watchedServer();
  await using setting = await serveOverHttp(definition, { limits: { stopGrace: 200 } });
  const client = await openHttp(setting.url);
  const finishing = client.call('count', { to: 5 });
  const hanging = client.call('watch');
  await begun;
  const stopped = setting.server.stop();
  expect(setting.server.report().status).toBe('stopping');
  expect(await client.call('echo', { text: 'late' })).toMatchObject({
    error: { message: 'This server is stopping.' },
  });
  expect((await post(setting.url, handshake)).status).toBe(503);
  expect(await finishing).toMatchObject({ result: { structuredContent: { counted: 5 } } });
  expect(JSON.stringify(await hanging)).toContain('mcp_unavailable');
  await stopped;
  expect(setting.server.report().status).toBe('stopped');
});

/** A server with a tool that waits to be cancelled. */
function watchedServer() {
  const begun = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const watch = defineTool({
    name: 'watch',
    description: 'Waits to be cancelled.',
    input: z.object({}),
    async handler(_, { signal }) {
      begun.resolve();
      await once(signal, 'abort');
      cancelled.resolve();
    },
  });
  const server = defineServer({
    name: 'watched',
    version: '1.0.0',
    tools: [...exampleTools, watch],
  });
  return { server, begun: begun.promise, cancelled: cancelled.promise };
}
