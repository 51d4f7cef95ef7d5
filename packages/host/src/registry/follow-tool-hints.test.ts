import { expect, test } from 'vitest';
import type { ToolDescription } from '../connection.ts';
import type { HostEvent } from '../events/host-event.ts';
import { Listeners } from '../events/listeners.ts';
import { localServer } from '../testing/local-server.ts';
import { followToolHints } from './follow-tool-hints.ts';

test('remembers the tools that a server had when it connected, also when it has left since', async () => {
  const events = new Listeners<HostEvent>((error) => {
    throw error;
  });
  const tools = new Map([
    ['a', [{ name: 'read', inputSchema: {} }]],
    ['b', [{ name: 'write', inputSchema: {} }]],
  ]);
  const first = Promise.withResolvers<void>();
  const observed: (readonly [string, readonly ToolDescription[]])[] = [];
  {
    await using _following = followToolHints({
      servers: {
        list: () => [localServer('a', { id: 'a' }), localServer('b', { id: 'b' })],
        knownTools: (id) => tools.get(id) ?? [],
      },
      events,
      hints: {
        observe: async ({ id }, list) => {
          observed.push([id, list]);
          await first.promise;
        },
        changes: () => [],
      },
      notifier: { notify: () => {} },
    });
    for (const serverId of ['a', 'b']) events.emit({ kind: 'server-connected', serverId });
    tools.clear();
    first.resolve();
  }
  expect(observed.map(([id, list]) => [id, list.map(({ name }) => name)])).toEqual([
    ['a', ['read']],
    ['b', ['write']],
  ]);
});
