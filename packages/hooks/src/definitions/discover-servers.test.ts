import { join } from 'node:path';
import { createHost, type ServerSnapshot } from '@errand/host';
import {
  createMemorySettingsStore,
  localServer,
  MemoryCallLog,
  memoryHost,
} from '@errand/host/testing';
import { LocalConnector } from '@errand/machine/mcp';
import { scriptedServerConfig, temporaryFolder } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { discoverServers, MCPDiscoveryCache, statusOf } from './discover-servers.ts';
import { isValidMCPServer, isValidMCPTool, type MCPServer } from './mcp-contract.ts';

type State = Pick<ServerSnapshot, 'enabled' | 'autoDisabled' | 'connectionState'>;

test.each<[Partial<State>, string]>([
  [{ connectionState: 'connected' }, 'available'],
  [{ connectionState: 'error' }, 'unavailable'],
  [{ enabled: false }, 'unavailable'],
  [{ autoDisabled: true }, 'unavailable'],
  [{ connectionState: 'connecting' }, 'unknown'],
  [{}, 'unknown'],
])('a server that is %j is %s (fault 2 of the origin)', (state, status) => {
  const base: State = { enabled: true, autoDisabled: false, connectionState: 'disconnected' };
  expect(statusOf({ ...base, ...state })).toBe(status);
});

test('finds servers that were not started, with their tools, and those that are switched off', async () => {
  await using memory = await memoryHost([
    localServer('notes', { id: 'a', enabled: true }),
    localServer('off', { id: 'b', enabled: false }),
  ]);
  const servers = await discoverServers(memory.host, { now: () => 5 });
  expect(servers).toMatchObject([
    { id: 'a', name: 'notes', status: 'available', lastDiscovered: 5 },
    { id: 'b', status: 'unavailable', tools: [] },
  ]);
  expect(servers.every(isValidMCPServer)).toBe(true);
  expect(servers[0]?.tools.length).toBeGreaterThan(0);
  expect(servers[0]?.tools.every(isValidMCPTool)).toBe(true);
});

test('looks again after five minutes, when asked to, and when the settings changed', async () => {
  let now = 1;
  let looked = 0;
  const found: MCPServer[] = [];
  const cache = new MCPDiscoveryCache(
    async () => {
      looked += 1;
      return found;
    },
    { now: () => now },
  );
  expect(cache).toMatchObject({ servers: [], lastUpdated: 0, ttl: 300_000 });
  await Promise.all([cache.get(), cache.get()]);
  expect(looked).toBe(1);
  now += 299_999;
  await cache.get();
  expect([looked, cache.lastUpdated]).toEqual([1, 1]);
  now += 1;
  await cache.get();
  expect(looked).toBe(2);
  await cache.refresh();
  expect(looked).toBe(3);
  cache.invalidate();
  await cache.get();
  expect(looked).toBe(4);
  now = 0.5;
  await cache.get();
  expect(looked).toBe(5);
});

test('keeps what it had when looking fails, and looks again the next time', async () => {
  let fails = false;
  const cache = new MCPDiscoveryCache(async () => {
    if (fails) throw new Error('no');
    return [];
  });
  await cache.get();
  fails = true;
  await expect(cache.refresh()).rejects.toThrow('no');
  fails = false;
  await expect(cache.refresh()).resolves.toEqual([]);
});

test('finds real servers, whatever their tools are called, beside one that hangs and one that dies', async () => {
  await using folder = await temporaryFolder();
  const tools = [{ name: 'send-mail.now', title: 'Send', inputSchema: { type: 'object' } }];
  const mcpServers = [
    scriptedServerConfig({ tools }, { id: 'good', name: 'good' }),
    scriptedServerConfig({ onStart: 'hang' }, { id: 'hangs', name: 'hangs' }),
    scriptedServerConfig({ onStart: 'exit' }, { id: 'dies', name: 'dies' }),
  ];
  const notifier = { notify: () => {} };
  await using host = await createHost({
    settings: createMemorySettingsStore(JSON.stringify({ version: 1, mcpServers })),
    connectors: {
      local: new LocalConnector({
        host: { name: 'test', version: '0', vaultFolder: folder.path, eras: new Map(), notifier },
        childrenFolder: join(folder.path, 'children'),
        neutralFolder: join(folder.path, 'empty'),
      }),
    },
    notifier,
    log: new MemoryCallLog(),
  });
  // The others have answered long before the one that never does is given up.
  const [good, hangs, dies] = await discoverServers(host, { patience: 3_000 });
  expect(good?.status).toBe('available');
  expect(good?.tools).toContainEqual(
    expect.objectContaining({ name: 'send-mail.now', displayName: 'Send', serverId: 'good' }),
  );
  expect(hangs).toMatchObject({ status: 'unknown', tools: [] });
  expect(dies).toMatchObject({ status: 'unavailable', tools: [] });
});
