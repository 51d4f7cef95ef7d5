import { HostError, systemClock } from '@errand/host';
import { localServer, memoryHost } from '@errand/host/testing';
import { expect, test, vi } from 'vitest';
import { Gateway } from './gateway.ts';
import { gatewayHostFrom } from './gateway-host-from.ts';
import { ask } from './testing/open-test-gateway.ts';

test('lists the tools of servers that are still starting when asked', async () => {
  await using fixture = await starting(5_000, 'a');
  const list = fixture.ask('tools/list');
  const call = fixture.ask('tools/call', { name: 'a__echo', arguments: { text: 'hi' } });
  fixture.arrive('a');
  expect(await list).toMatchObject({ result: { tools: [{ name: 'a__echo' }] } });
  expect(await call).toMatchObject({ result: { content: [{ text: 'hi' }] } });
});

test('includes the tools of all servers that start in time in the first list', async () => {
  await using fixture = await starting(5_000, 'a', 'b');
  const list = fixture.ask('tools/list');
  fixture.arrive('a');
  setTimeout(() => fixture.arrive('b'), 500);
  expect(await list).toMatchObject({
    result: { tools: [{ name: 'a__echo' }, { name: 'b__echo' }] },
  });
});

test('delays the first list once for a server that hangs at its start', async () => {
  await using fixture = await starting(200, 'a', 'hangs');
  const list = fixture.ask('tools/list');
  fixture.arrive('a');
  expect(await list).toMatchObject({ result: { tools: [{ name: 'a__echo' }] } });
  const again = await Promise.race([
    fixture.ask('tools/list'),
    new Promise((resolve) => setTimeout(resolve, 100, 'is waiting')),
  ]);
  expect(again).toMatchObject({ result: { tools: [{ name: 'a__echo' }] } });
});

test('waits with a call for a server that is starting, and says why it does not start', async () => {
  await using fixture = await starting(200, 'a', 'fails');
  const calls = ['a', 'fails'].map((name) =>
    fixture.ask('tools/call', { name: `${name}__echo`, arguments: { text: 'hi' } }),
  );
  setTimeout(() => fixture.arrive('a'), 400);
  setTimeout(() => fixture.fail('fails'), 400);
  expect(await Promise.all(calls)).toMatchObject([
    { result: { content: [{ text: 'hi' }] } },
    { result: { content: [{ text: 'It does not start.' }], isError: true } },
  ]);
});

test('a call of a server that was switched off says so, and one of no server is unknown', async () => {
  await using fixture = await starting(200, 'a');
  fixture.arrive('a');
  await fixture.host.servers.setEnabled('a', false);
  expect(await fixture.ask('tools/call', { name: 'a__echo' })).toMatchObject({
    result: { isError: true, _meta: { 'errand/code': 'server_disabled' } },
  });
  expect(await fixture.ask('tools/call', { name: 'b__echo' })).toMatchObject({
    error: { code: -32602, message: expect.stringContaining('Unknown tool: b__echo') },
  });
});

test('answers at once that there are no tools while the only server fails', async () => {
  await using fixture = await starting(5_000, 'a');
  const list = fixture.ask('tools/list');
  fixture.fail('a');
  expect(await list).toMatchObject({ result: { tools: [] } });
});

test('lists the tools of a server that connects on use', async () => {
  const lazy = localServer('lazy', { connect: 'on-use' });
  await using memory = await memoryHost([lazy], {}, { clock: systemClock });
  using gateway = new Gateway(gatewayHostFrom(memory.host, { patienceMs: 5_000 }), {
    info: { name: 'test', version: '1.0.0' },
  });
  memory.host.servers.start();
  expect(memory.connector.attempts).toBe(0);
  expect(await ask({ gateway }, 'tools/list', {})).toMatchObject({
    result: { tools: [{ name: 'lazy__echo' }] },
  });
});

test('offers nothing that a face lends, neither in the list nor by its name', async () => {
  await using memory = await memoryHost([localServer('a')], {}, { clock: systemClock });
  using gateway = new Gateway(gatewayHostFrom(memory.host), {
    info: { name: 'test', version: '1.0.0' },
  });
  const { servers } = memory.host;
  servers.start();
  const callTool = vi.fn(async () => ({ content: [] }));
  const listTools = async () => [{ name: 'open', inputSchema: {} }];
  using _lease = await servers.lend({ id: 'editor', name: 'editor', listTools, callTool });
  expect(await servers.tools('editor', AbortSignal.timeout(5_000))).toMatchObject([
    { name: 'open' },
  ]);
  expect(await ask({ gateway }, 'tools/list', {})).toMatchObject({
    result: { tools: [{ name: 'a__echo' }] },
  });
  expect(await ask({ gateway }, 'tools/call', { name: 'editor__open' })).toMatchObject({
    error: { code: -32602 },
  });
  expect(callTool).not.toHaveBeenCalled();
});

/** A gateway before servers that are being started, and arrive when told to. */
async function starting(patienceMs: number, ...names: readonly string[]) {
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
  const gateway = new Gateway(gatewayHostFrom(host, { patienceMs }), {
    info: { name: 'test', version: '1.0.0' },
  });
  host.servers.start();
  return {
    host,
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
