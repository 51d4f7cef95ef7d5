import { openTrust } from '@errand/host';
import { createMemoryTrustStore, localServer, memoryHost } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { approveServers, serverApproval } from './approve-servers.ts';

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

test('says what waits for approval: a start, unless it is allowed for this run or lent by a program', async () => {
  const server = localServer('a');
  await using memory = await memoryHost([server]);
  const { host } = memory;
  const trust = await openTrust(createMemoryTrustStore());
  const isNew = { verdict: 'new', mayStart: false, claims: [] };
  expect(serverApproval({ host, trust }, server)).toEqual(isNew);
  const thisRun = await openTrust(createMemoryTrustStore(), { trustAll: true });
  expect(serverApproval({ host, trust: thisRun }, server)).toEqual({ ...isNew, mayStart: true });
  const isTrusted = { verdict: 'trusted', mayStart: true, claims: [] };
  const lent = { ...server, deploymentType: 'face' } as const;
  expect(serverApproval({ host, trust }, lent)).toEqual(isTrusted);
  await trust.agree([server]);
  expect(serverApproval({ host, trust }, server)).toEqual(isTrusted);
});
