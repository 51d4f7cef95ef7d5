import { HostError, openTrust, type ServerConfig } from '@errand/host';
import { createMemoryTrustStore, localServer, memoryHost } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { ServerTests } from './server-tests.ts';

async function openFixture(server: ServerConfig, { isAgreed = true } = {}) {
  const trust = await openTrust(createMemoryTrustStore());
  if (isAgreed) await trust.agree([server]);
  const memory = await memoryHost([server], {}, { trust });
  const tests = new ServerTests({
    host: memory.host,
    trust,
    connectors: { local: memory.connector },
  });
  return Object.assign(memory, { tests });
}

const failed = localServer('a', { id: 'a', enabled: false, failureCount: 3 });

test('enables a server that works, and forgets its failures', async () => {
  await using memory = await openFixture(failed);
  await memory.tests.begin(failed, { enables: true });
  expect(memory.tests.of('a')).toMatchObject({ isRunning: false, tools: 1 });
  const [stored] = memory.host.servers.list();
  expect(stored).toMatchObject({ enabled: true, failureCount: 0 });
});

test('leaves a server disabled that does not work', async () => {
  await using memory = await openFixture(failed);
  memory.connector.behaviours.set('a', { connect: () => Promise.reject(new Error('No.')) });
  await memory.tests.begin(failed, { enables: true });
  expect(String(memory.tests.of('a')?.error)).toContain('No.');
  expect(memory.host.servers.list()).toMatchObject([{ enabled: false }]);
});

test('starts nothing that nobody has agreed to', async () => {
  await using memory = await openFixture(failed, { isAgreed: false });
  await memory.tests.begin(failed, { enables: true });
  const { error } = memory.tests.of('a') ?? {};
  expect(error instanceof HostError && error.code).toBe('untrusted');
  expect(memory.connector.attempts).toBe(0);
  expect(memory.host.servers.list()).toMatchObject([{ enabled: false }]);
});

test('a server that was removed during its test stays removed', async () => {
  await using memory = await openFixture(failed);
  const list = async () => memory.change({ mcpServers: [] });
  memory.connector.behaviours.set('a', { list });
  await memory.tests.begin(failed, { enables: true });
  expect(memory.host.servers.list()).toEqual([]);
  expect(memory.tests.of('a')).toMatchObject({ isRunning: false, tools: 1 });
});
