import { expect, test } from 'vitest';
import { HostError } from '../host-error.ts';
import { systemClock } from '../system-clock.ts';
import { localServer } from '../testing/local-server.ts';
import { memoryHost } from '../testing/memory-host.ts';
import { Gateway } from './gateway.ts';
import { gatewayHostFrom } from './gateway-host-from.ts';
import { ask } from './open-test-gateway.ts';

test('who asks for the tools before their servers have arrived gets them', async () => {
  await using world = await starting('a');
  const list = world.ask('tools/list');
  const call = world.ask('tools/call', { name: 'a__echo', arguments: { text: 'hi' } });
  world.arrive('a');
  expect(await list).toMatchObject({ result: { tools: [{ name: 'a__echo' }] } });
  expect(await call).toMatchObject({ result: { content: [{ text: 'hi' }] } });
});

test('a server that hangs at the start does not keep the tools of the others back', async () => {
  await using world = await starting('a', 'hangs');
  const list = world.ask('tools/list');
  world.arrive('a');
  expect(await list).toMatchObject({ result: { tools: [{ name: 'a__echo' }] } });
});

test('who asks while the only server fails is told at once that there are no tools', async () => {
  await using world = await starting('a');
  const list = world.ask('tools/list');
  world.fail('a');
  expect(await list).toMatchObject({ result: { tools: [] } });
});

/** A gateway before servers that are being started, and arrive when told to. */
async function starting(...names: readonly string[]) {
  const memory = await memoryHost(
    names.map((name) => localServer(name)),
    {},
    { clock: systemClock },
  );
  const { host, connector } = memory;
  const arrivals = new Map(names.map((name) => [name, Promise.withResolvers<void>()]));
  for (const [name, { promise }] of arrivals) {
    connector.behaviours.set(name, {
      connect: ({ signal }) =>
        Promise.race([
          promise,
          new Promise<never>((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason), { once: true });
          }),
        ]),
    });
  }
  const gateway = new Gateway(gatewayHostFrom(host), { info: { name: 'test', version: '1.0.0' } });
  host.servers.start();
  return {
    ask: (method: string, params = {}) => ask({ gateway }, method, params),
    arrive: (name: string) => arrivals.get(name)?.resolve(),
    fail: (name: string) =>
      arrivals.get(name)?.reject(new HostError('server_unavailable', 'It does not start.')),
    [Symbol.asyncDispose]: async () => {
      gateway[Symbol.dispose]();
      await memory[Symbol.asyncDispose]();
    },
  };
}
