import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { settled } from '../testing/manual-clock.ts';
import { memoryHost, request } from '../testing/memory-host.ts';

const never = new AbortController().signal;

function fail(): never {
  throw new Error('a defect');
}

test('a notifier that fails does not keep a lost server from coming back', async () => {
  await using fixture = await memoryHost([localServer('a')], {}, { notifier: { notify: fail } });
  const { host, connector, clock } = fixture;
  await host.servers.tools('a', never);
  connector.latest('a').crash();
  await clock.advance(1000);
  expect(host.servers.snapshot('a')).toMatchObject({ connectionState: 'connected' });
});

test('a health check that fails by a defect ends its connection with a reason, and a new one is made', async () => {
  await using fixture = await memoryHost([localServer('a'), localServer('b')]);
  const { host, connector, clock, notices } = fixture;
  await Promise.all(['a', 'b'].map((server) => host.servers.tools(server, never)));
  connector.latest('a').ping = fail;
  await clock.advance(30_000);
  await settled();
  expect(host.servers.snapshot('a').reason?.message).toBe(
    'The connection to server "a" was given up after a defect of Errand: a defect',
  );
  expect(notices).toContainEqual({
    level: 'error',
    message: 'Supervising server "a" failed. This is a defect of Errand; please report it.',
    detail: 'a defect',
    server: 'a',
  });
  expect(host.servers.snapshot('b')).toMatchObject({ connectionState: 'connected' });
  await clock.advance(1000);
  expect(host.servers.snapshot('a')).toMatchObject({ connectionState: 'connected' });
  expect(await host.execute(request())).toMatchObject({ status: 'success' });
});

test('a timer that fails by a defect ends its connection with a reason', async () => {
  let isBroken = false;
  await using fixture = await memoryHost(
    [localServer('a')],
    {},
    { random: () => (isBroken ? fail() : 0.5) },
  );
  const { host, clock, notices } = fixture;
  await host.servers.tools('a', never);
  isBroken = true;
  await clock.advance(30_000);
  isBroken = false;
  expect(notices).toMatchObject([{ level: 'error', detail: 'a defect', server: 'a' }]);
});

test('a connection that cannot be closed does not keep the host from closing', async () => {
  const fixture = await memoryHost([localServer('a')]);
  await fixture.host.servers.tools('a', never);
  fixture.connector.latest('a')[Symbol.asyncDispose] = fail;
  await fixture[Symbol.asyncDispose]();
});
