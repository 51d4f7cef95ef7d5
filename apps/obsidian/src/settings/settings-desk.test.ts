import { openTrust, type ServerConfig } from '@errand/host';
import { createMemoryTrustStore, localServer, memoryHost } from '@errand/host/testing';
import { expect, test } from 'vitest';
import type { OpenVault } from '../open-vault.ts';
import { SettingsDesk } from './settings-desk.ts';

test('listens to the host only while somebody looks, and tells many changes once', async () => {
  let listening = 0;
  const follow = () => {
    listening += 1;
    return () => {
      listening -= 1;
    };
  };
  const vault = { host: { events: { subscribe: follow } }, tests: { subscribe: follow } };
  const desk = new SettingsDesk(vault as unknown as OpenVault);
  let told = 0;
  const stop = desk.onChange(() => {
    told += 1;
  });
  const stopOther = desk.onChange(() => {});
  expect(listening).toBe(2);
  desk.tell();
  desk.tell();
  await Promise.resolve();
  expect(told).toBe(1);
  stop();
  expect(listening).toBe(2);
  stopOther();
  expect(listening).toBe(0);
});

async function openDesk(...servers: readonly ServerConfig[]) {
  const trust = await openTrust(createMemoryTrustStore());
  await trust.agree(servers);
  const world = await memoryHost(servers, {}, { mayStart: trust.mayStart });
  const vault = { ...world, trust } as unknown as OpenVault;
  return Object.assign(world, { trust, desk: new SettingsDesk(vault) });
}

test('a change keeps what another program has written since', async () => {
  await using world = await openDesk(localServer('a', { id: 'a' }));
  const { desk, settings } = world;
  settings.write(settings.text().replace('"enabled":true', '"enabled":false,"timeout":5000'));
  expect(desk.server('a')?.timeout).toBeUndefined();
  expect(await desk.change('a', (now) => ({ ...now, approval: 'deny' }))).toBe(true);
  const stored = { approval: 'deny', enabled: false, timeout: 5000 };
  expect(JSON.parse(settings.text()).mcpServers).toMatchObject([stored]);
  expect(desk.server('a')).toMatchObject(stored);
});

test('a change is no agreement to what another program has written since', async () => {
  await using world = await openDesk(localServer('a', { id: 'a' }));
  const { desk, settings, trust } = world;
  const [entry] = JSON.parse(settings.text()).mcpServers;
  const localConfig = { ...entry.localConfig, command: 'evil' };
  settings.write(JSON.stringify({ version: 1, mcpServers: [{ ...entry, localConfig }] }));
  await desk.change('a', (now) => ({ ...now, approval: 'allow' }));
  expect(desk.server('a')).toMatchObject({ approval: 'allow', localConfig: { command: 'evil' } });
  expect(trust.verdict(desk.server('a') as ServerConfig)).toBe('changed');
});

test('a server that runs is started anew by a change, as one that was agreed to', async () => {
  await using world = await openDesk(localServer('a', { id: 'a' }));
  const { desk, host } = world;
  await host.servers.tools('a', AbortSignal.timeout(10_000));
  await desk.change('a', (now) => ({ ...now, localConfig: { command: 'other' } }));
  await expect.poll(() => host.servers.health('a').connectionState).toBe('connected');
  expect(host.servers.health('a').reason).toBeUndefined();
});

test('what was removed meanwhile is not changed', async () => {
  await using world = await openDesk(localServer('a', { id: 'a' }));
  world.settings.write('{"version":1,"mcpServers":[]}');
  expect(await world.desk.change('a', (now) => ({ ...now, approval: 'deny' }))).toBe(false);
});
