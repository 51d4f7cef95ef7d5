import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerConfig } from '@errand/host';
import { createHost } from '@errand/host';
import {
  createMemorySettingsStore,
  MemoryCallLog,
  memoryHost,
  request,
} from '@errand/host/testing';
import { expect, test } from 'vitest';
import { LocalConnector } from '../mcp/local-connector.ts';
import {
  containersOf,
  hostSide,
  managedConnector,
  managedServer,
  scriptedContainer,
  testEngine,
} from '../testing/docker.ts';
import { readJournal } from '../testing/journal.ts';
import { scriptedServerConfig } from '../testing/scripted-server-config.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

/** The same server as a process and in a container, behind one host; both write into their own journal. */
async function twinHost(more: readonly ServerConfig[] = []) {
  const folder = await temporaryFolder();
  const journal = (name: string) => join(folder.path, name);
  await Promise.all(['process', 'container'].map((name) => writeFile(journal(name), '')));
  const container = scriptedContainer({ journal: '/journal/container' });
  const mounts = [
    ...(container.dockerConfig?.mounts ?? []),
    { source: folder.path, target: '/journal', writable: true },
  ];
  const boxed = scriptedContainer({ journal: '/journal/container' }, { mounts });
  const servers = [
    scriptedServerConfig({ journal: journal('process') }, { id: 'process', name: 'twin' }),
    { ...boxed, id: 'container', name: 'boxed' },
    ...more,
  ];
  const local = new LocalConnector({
    host: hostSide(),
    childrenFolder: join(folder.path, 'children'),
    neutralFolder: join(folder.path, 'empty'),
  });
  const host = await createHost({
    settings: createMemorySettingsStore(JSON.stringify({ version: 1, mcpServers: servers })),
    connectors: { local, managed: managedConnector() },
    notifier: { notify: () => undefined },
    log: new MemoryCallLog(),
  });
  const call = (serverId: string, toolName: string) =>
    host.execute(request({ serverId, toolName, parameters: {}, timeout: 60_000 }));
  return {
    call,
    calls: (name: string, tool: string) =>
      readJournal(journal(name)).filter((line) => line.tool === tool).length,
    [Symbol.asyncDispose]: async () => {
      await host[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('a container that ends in a call is treated like a process that does, in the same words', async () => {
  await using fixture = await twinHost();
  for (const server of ['process', 'container']) {
    expect(await fixture.call(server, 'crash-once')).toMatchObject({
      status: 'success',
      attempts: 2,
    });
    expect(fixture.calls(server, 'crash-once')).toBe(2);
    const outcome = await fixture.call(server, 'crash-once-writing');
    const name = server === 'process' ? 'twin' : 'boxed';
    expect(outcome).toMatchObject({
      status: 'error',
      attempts: 1,
      error: {
        message: `Server "${name}" exited with code 7. The call may have taken effect; it was not repeated.`,
        facts: { exitCode: 7 },
      },
    });
    expect(fixture.calls(server, 'crash-once-writing')).toBe(1);
  }
}, 120_000);

test('a container behind HTTP that ends in a call is treated so too', async () => {
  const server = { ...managedServer(endingInCalls, { transport: 'http' }), id: 'web', name: 'web' };
  await using fixture = await twinHost([server]);
  expect(await fixture.call('web', 'write')).toMatchObject({
    status: 'error',
    attempts: 1,
    error: {
      code: 'container_exited',
      message: expect.stringMatching(
        /^Server "web" exited with code 7\. The call may have taken effect; it was not repeated\.$/,
      ),
    },
  });
  // Its second end is the last: it would only end a third time.
  expect(await fixture.call('web', 'read')).toMatchObject({ status: 'error', attempts: 2 });
}, 120_000);

test('a container that stands still is found out by its periodic check, removed and replaced', async () => {
  const server = { ...scriptedContainer(), id: 'a', name: 'boxed' };
  const other = { ...scriptedContainer(), id: 'b', name: 'other' };
  const connectors = { managed: managedConnector() };
  await using fixture = await memoryHost([server, other], {}, { connectors });
  const { host, clock } = fixture;
  const state = () => host.servers.snapshot('a');
  for (const id of ['a', 'b']) await host.servers.tools(id, AbortSignal.timeout(60_000));
  const [first] = await containersOf(server);
  await testEngine().ask({ method: 'POST', path: `/containers/${first?.Id}/pause` });
  for (const after of ['connected', 'error']) {
    await clock.advance(30_000);
    // As long as it takes a container to answer.
    expect(await host.execute(request({ serverId: 'b' }))).toMatchObject({ status: 'success' });
    await clock.advance(5_000);
    expect(state().connectionState).toBe(after);
  }
  await clock.advance(1_000);
  await expect.poll(() => state().connectionState, patience).toBe('connected');
  const [second, ...others] = await containersOf(server);
  expect(second?.Id).not.toBe(first?.Id);
  expect(others).toEqual([]);
}, 120_000);

const patience = { timeout: 60_000 };

/** A server over HTTP that ends in every call. */
const endingInCalls = {
  ports: { '8080': 0 },
  command: [
    'node',
    '-e',
    `require('node:http').createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { id, method } = JSON.parse(body || '{}');
      if (id === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end();
      if (method === 'tools/call') process.exit(7);
      const inputSchema = { type: 'object' };
      const annotations = { readOnlyHint: true };
      const tools = [{ name: 'read', inputSchema, annotations }, { name: 'write', inputSchema }];
      const handshake = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } };
      const result = method === 'initialize' ? handshake : { tools };
      const answer = method === 'server/discover' ? { error: { code: -32601, message: 'no' } } : { result };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    }).listen(8080)`,
  ],
};
