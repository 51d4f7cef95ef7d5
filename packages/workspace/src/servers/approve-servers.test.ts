import { openTrust } from '@errand/host';
import { createMemoryTrustStore, localServer, memoryHost } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { approveServers } from './approve-servers.ts';

test('approves what was shown, and connects it only if it is still that', async () => {
  const trust = await openTrust(createMemoryTrustStore());
  const servers = [localServer('a', { id: 'a' }), localServer('b', { id: 'b' })];
  await using memory = await memoryHost(servers, {}, { trust });
  const { host } = memory;
  const [a, b] = servers.map((server) => trust.show(server));
  if (a === undefined || b === undefined) throw new Error('Two servers were shown.');
  const localConfig = { command: 'evil' };
  await approveServers({ host, trust }, [a, { ...b, server: { ...b.server, localConfig } }]);
  await expect.poll(() => host.servers.snapshot('a').connectionState).toBe('connected');
  expect(memory.connector.connections.map(({ entry }) => entry.id)).toEqual(['a']);
  expect(host.servers.list().map((server) => trust.verdict(server))).toEqual([
    'trusted',
    'changed',
  ]);
});
