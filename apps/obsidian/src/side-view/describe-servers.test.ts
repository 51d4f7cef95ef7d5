import type { ServerSnapshot } from '@errand/host';
import { localServer } from '@errand/host/testing';
import { unusedServer } from '@errand/workspace/testing';
import { expect, test } from 'vitest';
import { describeServers } from './describe-servers.ts';

test('prints a line for each server, with the reason of its state', () => {
  const good = { label: 'Connected', tone: 'good' as const, isLive: false, reason: null };
  const bad = { ...good, label: 'Retrying: attempt 2 of 3', reason: 'It ended.\nWith code 7.' };
  const servers: readonly ServerSnapshot[] = [
    {
      ...unusedServer,
      config: localServer('files'),
      connectionState: 'connected',
      toolCount: 1,
      pingLatency: 3,
    },
    {
      ...unusedServer,
      config: localServer('mail'),
      retryState: { ...unusedServer.retryState, nextRetryAt: 4_000 },
    },
  ];
  expect(describeServers(servers, (id) => (id === 'files' ? good : bad), 0)).toBe(
    'files: Connected, 1 tool, answers in 3 ms\nmail: Retrying: attempt 2 of 3, next try in 4 s\n  It ended.\n  With code 7.',
  );
});

test('says what to do first', () => {
  expect(describeServers([], () => expect.fail(), 0)).toMatch(/Add one in the settings/);
});
