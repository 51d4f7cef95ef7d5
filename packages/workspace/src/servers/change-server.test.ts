import { openTrust, type ServerConfig } from '@errand/host';
import { createMemoryTrustStore, localServer, memoryHost } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { changeServer } from './change-server.ts';

async function openFixture(...servers: readonly ServerConfig[]) {
  const trust = await openTrust(createMemoryTrustStore());
  await trust.agree(servers);
  const fixture = await memoryHost(servers, {}, { trust });
  return Object.assign(fixture, { trust });
}

test('a change keeps what another program has written since', async () => {
  await using fixture = await openFixture(localServer('a', { id: 'a' }));
  const { host, settings } = fixture;
  settings.write(settings.text().replace('"enabled":true', '"enabled":false,"timeout":5000'));
  expect(host.servers.find('a')?.timeout).toBeUndefined();
  await changeServer(fixture, 'a', (now) => ({ ...now, approval: 'deny' }));
  const stored = { approval: 'deny', enabled: false, timeout: 5000 };
  expect(JSON.parse(settings.text()).mcpServers).toMatchObject([stored]);
  expect(host.servers.find('a')).toMatchObject(stored);
});

test('does not approve what another program has written since', async () => {
  await using fixture = await openFixture(localServer('a', { id: 'a' }));
  const { host, settings, trust } = fixture;
  const [entry] = JSON.parse(settings.text()).mcpServers;
  const localConfig = { ...entry.localConfig, command: 'evil' };
  settings.write(JSON.stringify({ version: 1, mcpServers: [{ ...entry, localConfig }] }));
  await changeServer(fixture, 'a', (now) => ({ ...now, approval: 'allow' }));
  expect(host.servers.find('a')).toMatchObject({
    approval: 'allow',
    localConfig: { command: 'evil' },
  });
  expect(trust.verdict(host.servers.find('a') as ServerConfig)).toBe('changed');
});

test('restarts a running server after a change, and keeps it approved', async () => {
  await using fixture = await openFixture(localServer('a', { id: 'a' }));
  const { host } = fixture;
  await host.servers.tools('a', AbortSignal.timeout(10_000));
  await changeServer(fixture, 'a', (now) => ({ ...now, localConfig: { command: 'other' } }));
  await expect.poll(() => host.servers.snapshot('a').connectionState).toBe('connected');
  expect(host.servers.snapshot('a').reason).toBeUndefined();
});

test('does not change a server that was removed meanwhile', async () => {
  await using fixture = await openFixture(localServer('a', { id: 'a' }));
  fixture.settings.write('{"version":1,"mcpServers":[]}');
  expect(await changeServer(fixture, 'a', (now) => ({ ...now, approval: 'deny' }))).toBeUndefined();
});
