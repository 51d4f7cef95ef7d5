import { expect, test } from 'vitest';
import type { Settings } from './settings.ts';
import { localServer } from './testing/local-server.ts';
import { settled } from './testing/manual-clock.ts';
import { memoryHost, request } from './testing/memory-host.ts';

test('starts a server on first use, calls its tool and closes it at the end', async () => {
  const { host, connector, log } = await memoryHost([localServer('a'), localServer('b')]);
  expect(connector.attempts).toBe(0);
  expect(await host.execute(request())).toMatchObject({
    status: 'success',
    attempts: 1,
    result: { content: 'hello', contentType: 'text' },
  });
  expect(connector.attempts).toBe(1);
  expect(log.records).toMatchObject([{ server: 'a', tool: 'echo', status: 'success' }]);
  await host[Symbol.asyncDispose]();
  expect(connector.open).toEqual([]);
});

test('settings that change while it runs: what is wrong is told once, and broken ones change nothing', async () => {
  await using world = await memoryHost([localServer('a')]);
  const bad = { ...localServer('b'), transport: 'pigeon' };
  const change = { mcpServers: [localServer('a'), bad] } as unknown as Partial<Settings>;
  await world.change(change);
  await world.change(change);
  expect(world.host.servers.list().map(({ name }) => name)).toEqual(['a']);
  expect(world.notices).toMatchObject([
    {
      level: 'error',
      message: expect.stringMatching(/^settings:1:\d+: mcpServers\[1\]\.transport: /),
    },
  ]);
  world.settings.write('{ "version": 1, ');
  await settled();
  expect(world.host.servers.list().map(({ name }) => name)).toEqual(['a']);
  expect(world.notices.at(-1)).toMatchObject({
    message: 'The changed settings cannot be used; the old ones stay in force.',
  });
});
