import type { ServerReport } from '@errand/host';
import { expect, test } from 'vitest';
import { describeServers } from './describe-servers.ts';

const report: ServerReport = {
  id: 'a',
  name: 'files',
  transport: 'stdio',
  deploymentType: 'local',
  enabled: true,
  autoDisabled: false,
  connectionState: 'connected',
  tools: 1,
  pingLatency: 3,
  lastConnectedAt: null,
  lastAttemptAt: null,
  lastFailureAt: null,
  attempt: 0,
  nextRetryAt: null,
  autoDisabledAt: null,
  problem: null,
};

test('prints a line for each server, and why it is as it is', () => {
  const good = { state: 'Connected', tone: 'good' as const, isLive: false, reason: null };
  const bad = { ...good, state: 'Retrying: attempt 2 of 3', reason: 'It ended.\nWith code 7.' };
  const lost = { ...report, name: 'mail', tools: null, pingLatency: null, nextRetryAt: 4_000 };
  const servers = [
    { report, words: good },
    { report: lost, words: bad },
  ];
  expect(describeServers(servers, 0)).toBe(
    'files: Connected, 1 tool, 3 ms\nmail: Retrying: attempt 2 of 3, next try in 4 s\n  It ended.\n  With code 7.',
  );
});

test('says what to do first', () => {
  expect(describeServers([], 0)).toMatch(/Add one in the settings/);
});
