import { expect, test } from 'vitest';
import { localServer } from './testing/local-server.ts';
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
