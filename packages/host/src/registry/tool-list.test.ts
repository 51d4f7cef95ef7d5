import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { echoTool, untilAborted } from '../testing/memory-connector.ts';
import { memoryHost } from '../testing/memory-host.ts';

const never = new AbortController().signal;

test('the tools are read again after five minutes, or when the server says that they changed', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, clock } = fixture;
  const changes: string[] = [];
  host.events.subscribe(({ kind }) => kind === 'tools-changed' && changes.push(kind));
  await host.servers.tools('a', never);
  await clock.advance(299_000);
  await host.servers.tools('a', never);
  expect(connector.latest('a').listings).toBe(1);
  await clock.advance(1_000);
  await host.servers.tools('a', never);
  expect(connector.latest('a').listings).toBe(2);
  expect(changes).toEqual([]);
  connector.latest('a').changeTools([{ ...echoTool, name: 'other' }]);
  expect(await host.servers.tools('a', never)).toMatchObject([{ name: 'other' }]);
  expect(changes).toEqual(['tools-changed']);
});

test('a person can have the tools read again; a reading that fails leaves those that are known', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, clock } = fixture;
  await host.servers.tools('a', never);
  await host.servers.refreshTools('a', never);
  const connection = connector.latest('a');
  expect(connection.listings).toBe(2);
  connection.behaviour.list = untilAborted;
  await clock.advance(300_000);
  const reading = host.servers.tools('a', never);
  await clock.advance(10_000);
  expect(await reading).toMatchObject([{ name: 'echo' }]);
  expect(await host.servers.tools('a', never)).toMatchObject([{ name: 'echo' }]);
  expect(connection.listings).toBe(3);
});

test('limits how often a server that floods changes is asked for its tools', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, clock } = fixture;
  await host.servers.tools('a', never);
  for (let i = 0; i < 100; i += 1) {
    connector.latest('a').changeTools([{ ...echoTool, name: `echo-${i}` }]);
    await clock.advance(10);
  }
  await clock.advance(250);
  expect(connector.latest('a').listings).toBeLessThan(8);
  expect(host.servers.knownTools('a')).toMatchObject([{ name: 'echo-99' }]);
});

test('a clock that is set back does not keep changed tools from being read', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, clock } = fixture;
  await host.servers.tools('a', never);
  clock.setBack(3_600_000);
  connector.latest('a').changeTools([{ ...echoTool, name: 'other' }]);
  await clock.advance(1_000);
  expect(host.servers.knownTools('a')).toMatchObject([{ name: 'other' }]);
  await clock.advance(300_000);
  await host.servers.tools('a', never);
  expect(connector.latest('a').listings).toBe(3);
});
