import { exampleServer, memoryHost, request } from '@errand/host/testing';
import { expect, onTestFinished, test } from 'vitest';
import type { Trigger } from '../hook-schema.ts';
import { startSource } from '../testing/start-source.ts';
import { ChainTracker } from './chain-tracker.ts';
import { callSource, serverSource } from './host-sources.ts';

test('tells how a call ended, and from which chain it came', async () => {
  const { host, chains, ports } = await fixture();
  await using started = await startSource(callSource(ports), { kind: 'call' });
  await host.execute(request());
  await host.execute(request({ toolName: 'nothing-like-it' }));
  const chain = { id: 'chain-1', depth: 2, hooks: ['one', 'two'] };
  using _action = chains.begin(chain);
  await host.execute(request({ source: 'hook', sessionId: 'hook:chain-1' }));
  const { events } = started;
  expect(events.map(({ fields }) => fields.call)).toMatchObject([
    { server: 'notes', serverId: 'a', tool: 'echo', status: 'success', source: 'command' },
    { tool: 'nothing-like-it', status: 'error', error: { code: 'tool_not_found' } },
    { source: 'hook' },
  ]);
  expect(events.map((event) => event.chain)).toEqual([undefined, undefined, chain]);
  expect(new Set(events.map(({ id }) => id)).size).toBe(3);
});

test('tells of servers that were connected, lost and switched off, each once', async () => {
  const { host, connector, clock, ports } = await fixture();
  const trigger: Trigger = { kind: 'server', events: ['connected', 'lost', 'auto-disabled'] };
  await using started = await startSource(serverSource(ports), trigger);
  await host.execute(request());
  connector.behaviours.set('a', { connect: () => Promise.reject(new Error('refused')) });
  connector.latest('a').crash();
  await clock.advance(60_000);
  host.events.emit({ kind: 'server-changed', snapshot: host.servers.snapshot('a') });
  expect(started.events.map(({ fields }) => fields.server)).toMatchObject([
    { event: 'connected', id: 'a', name: 'notes' },
    { event: 'lost', id: 'a' },
    { event: 'auto-disabled', id: 'a', reason: { code: expect.any(String) } },
  ]);
});

test('listens to the host only while a trigger wants it', async () => {
  const { host, ports } = await fixture();
  await using started = await startSource(callSource(ports));
  await host.execute(request());
  expect(started.events).toEqual([]);
  await started.want({ kind: 'call' });
  await host.execute(request());
  expect(started.events).toHaveLength(1);
  await started.source[Symbol.asyncDispose]();
  await host.execute(request());
  expect(started.events).toHaveLength(1);
});

async function fixture() {
  const memory = await memoryHost([{ ...exampleServer, id: 'a' }]);
  onTestFinished(() => memory[Symbol.asyncDispose]());
  const { host, clock } = memory;
  const chains = new ChainTracker(clock);
  return { ...memory, chains, ports: { host, clock, chains } };
}
