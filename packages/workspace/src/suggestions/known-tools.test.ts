import { localServer, memoryHost } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { KnownTools } from './known-tools.ts';

const { signal } = new AbortController();

test('knows nothing before a server was started, and starts none', async () => {
  await using memory = await memoryHost([localServer('a')]);
  using tools = new KnownTools(memory.host);
  const [server] = memory.host.servers.list();
  expect(tools.of(server?.id ?? '')).toEqual([]);
  expect(memory.host.servers.snapshot(server?.id ?? '').connectionState).toBe('disconnected');
});

test('keeps the last list of a server that is disabled then', async () => {
  await using memory = await memoryHost([localServer('a')]);
  using tools = new KnownTools(memory.host);
  const id = memory.host.servers.list()[0]?.id ?? '';
  await memory.host.servers.tools(id, signal);
  await memory.host.servers.setEnabled(id, false);
  expect(memory.host.servers.knownTools(id)).toEqual([]);
  expect(tools.of(id).map(({ name }) => name)).toContain('echo');
});
