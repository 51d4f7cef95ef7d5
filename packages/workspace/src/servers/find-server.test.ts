import { localServer, memoryHost } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { findServer, findServerById } from './find-server.ts';

test('finds a server by its name, or lists those there are', async () => {
  await using memory = await memoryHost([localServer('a', { id: '1' })]);
  expect(findServer(memory.host, 'a').id).toBe('1');
  expect(() => findServer(memory.host, 'b')).toThrow(
    expect.objectContaining({
      code: 'server_unknown',
      message: 'There is no server "b". There are: a.',
      advice: [{ kind: 'add-server' }],
    }),
  );
});

test('says where the entry of a server is broken that was named', async () => {
  await using memory = await memoryHost([localServer('a')]);
  memory.settings.write(
    JSON.stringify({ mcpServers: [{ name: 'mail', transport: 'stdio', deploymentType: 'local' }] }),
  );
  await expect.poll(() => memory.host.servers.list()).toEqual([]);
  expect(() => findServer(memory.host, 'MAIL')).toThrow(
    expect.objectContaining({
      code: 'settings_invalid',
      message: expect.stringMatching(
        /^The settings entry of "mail" .* settings in memory:1:\d+: mcpServers/,
      ),
    }),
  );
});

test('an id is never taken for a name', async () => {
  await using memory = await memoryHost([localServer('a', { id: '1' })]);
  expect(findServerById(memory.host, '1').name).toBe('a');
  expect(() => findServerById(memory.host, 'a')).toThrow('no longer registered');
});
