import { unusedServer as view } from '@errand/workspace/testing';
import { expect, test } from 'vitest';
import { describeServer } from './describe-server.ts';

const now = 1_000_000_000;

test('describes the state of a server and when it was last connected', () => {
  const connected = {
    ...view,
    connectionState: 'connected' as const,
    toolCount: 3,
    pingLatency: 1.4,
    lastConnectedAt: now - 125_000,
  };
  expect(describeServer(connected, undefined, now)).toEqual({
    value: 'connected · 2 min ago',
    needsAttention: false,
    lines: ['Connected', '3 tools · answers in 1 ms · Last connected 2 min ago'],
  });
});

test('says why a server fails, when it was tried last and when it is tried next', () => {
  const failing = {
    ...view,
    connectionState: 'error' as const,
    retryState: { ...view.retryState, isRetrying: true, nextRetryAt: now + 4_100 },
    reason: { code: 'server_unavailable' as const, message: 'It ended.' },
    lastAttemptAt: now - 10,
  };
  const { needsAttention, lines } = describeServer(failing, undefined, now);
  expect(needsAttention).toBe(true);
  expect(lines).toEqual([
    'Retrying: attempt 1 of 3',
    'It ended.',
    'Last attempt just now · Next try in 5 s',
  ]);
});

test('says that an entry that came with the vault needs approval', () => {
  const { value, needsAttention } = describeServer({ ...view, trust: 'new' }, undefined, now);
  expect([value, needsAttention]).toEqual(['not yet agreed on this computer', true]);
});
