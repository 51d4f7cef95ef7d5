import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { settled } from '../testing/manual-clock.ts';
import { untilAborted } from '../testing/memory-connector.ts';
import { memoryHost } from '../testing/memory-host.ts';

test('limits how many processes start at once, and releases the slot of one that only waits', async () => {
  const names = ['s1', 's2', 's3', 's4', 's5'];
  const far = localServer('far', {
    deploymentType: 'external',
    transport: 'http',
    httpConfig: { url: 'http://127.0.0.1:1/mcp' },
  });
  await using fixture = await memoryHost(
    [...names.map((name) => localServer(name)), far],
    {},
    { parallelStarts: 2 },
  );
  const { host, connector, clock } = fixture;
  for (const name of names) {
    connector.behaviours.set(name, { connect: ({ signal }) => untilAborted(signal) });
  }
  host.servers.start();
  await settled();
  expect(connector.attempts).toBe(3);
  expect(host.servers.snapshot('far').connectionState).toBe('connected');
  await clock.advance(399);
  expect(connector.attempts).toBe(3);
  await clock.advance(1);
  expect(connector.attempts).toBe(5);
  await clock.advance(400);
  expect(connector.attempts).toBe(6);
});
