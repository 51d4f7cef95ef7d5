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

test('reports problems of changed settings once, and ignores broken settings', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const bad = { ...localServer('b'), transport: 'pigeon' };
  const change = { mcpServers: [localServer('a'), bad] } as unknown as Partial<Settings>;
  await fixture.change(change);
  await fixture.change(change);
  expect(fixture.host.servers.list().map(({ name }) => name)).toEqual(['a']);
  expect(fixture.notices).toMatchObject([
    {
      level: 'error',
      message: expect.stringMatching(/^settings in memory:1:\d+: mcpServers\[1\]\.transport: /),
    },
  ]);
  fixture.settings.write('{ "version": 1, ');
  await settled();
  expect(fixture.host.servers.list().map(({ name }) => name)).toEqual(['a']);
  expect(fixture.notices.at(-1)).toMatchObject({
    message: 'The changed settings cannot be used; the old ones stay in force.',
  });
});
