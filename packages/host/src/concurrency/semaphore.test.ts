import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { settled } from '../testing/manual-clock.ts';
import { textResult, untilAborted } from '../testing/memory-connector.ts';
import { memoryHost, request } from '../testing/memory-host.ts';

test('a server whose calls hang leaves half of the places to the others', async () => {
  const fixture = await memoryHost([localServer('a'), localServer('b')], { mcpSessionLimit: -1 });
  let hanging = 0;
  fixture.connector.behaviours.set('a', {
    call: (_call, { signal }) => {
      hanging += 1;
      return untilAborted(signal);
    },
  });
  const hung = Array.from({ length: 40 }, () => fixture.host.execute(request({ serverId: 'a' })));
  await settled();
  expect(hanging).toBe(13);
  const answers = Array.from({ length: 20 }, () =>
    fixture.host.execute(request({ serverId: 'b' })),
  );
  for (const { status } of await Promise.all(answers)) expect(status).toBe('success');
  fixture.host.stop();
  await Promise.all(hung);
  await fixture[Symbol.asyncDispose]();
});

test('among calls that wait, servers take turns, and for each server its sessions', async () => {
  const servers = [localServer('a'), localServer('b')];
  const fixture = await memoryHost(servers, { mcpConcurrentLimit: 2, mcpSessionLimit: -1 });
  const order: unknown[] = [];
  const finish: (() => void)[] = [];
  for (const name of ['a', 'b']) {
    fixture.connector.behaviours.set(name, {
      call: async ({ arguments: { text } }) => {
        order.push(text);
        await new Promise<void>((resolve) => finish.push(resolve));
        return textResult('ok');
      },
    });
  }
  const call = (serverId: string, sessionId: string, text: string) =>
    fixture.host.execute(request({ serverId, sessionId, parameters: { text } }));
  const calls = ['a1', 'a2', 'a3'].map((text) => call('a', 'one', text));
  calls.push(call('a', 'two', 'a4'));
  await settled();
  calls.push(call('b', 'one', 'b1'), call('b', 'one', 'b2'));
  for (let i = 0; i < 6; i += 1) {
    await settled();
    finish[i]?.();
  }
  await Promise.all(calls);
  expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a4', 'a3']);
  await fixture[Symbol.asyncDispose]();
});
