import type { ServerSnapshot } from '@errand/host';
import { expect, test } from 'vitest';
import { unusedServer } from '../testing/index.ts';
import { describeServerState, describeStep, toolCount } from './describe-server-state.ts';

const reason = { code: 'server_unavailable', message: 'It ended.' } as const;
const retrying = (currentAttempt: number) => ({
  ...unusedServer.retryState,
  isRetrying: true,
  currentAttempt,
});

test.each<[string, Partial<ServerSnapshot>, string, string | null]>([
  ['unused', {}, 'Not connected', 'It is started when it is first used.'],
  ['connected', { connectionState: 'connected' }, 'Connected', null],
  [
    'on its way',
    { connectionState: 'connecting', step: { name: 'pull', detail: '3 of 9 MB' } },
    'Connecting',
    'Pulling the image: 3 of 9 MB',
  ],
  [
    'between two tries',
    { connectionState: 'error', retryState: retrying(1), reason },
    'Retrying: attempt 2 of 3',
    'It ended.',
  ],
  [
    'tried again',
    { connectionState: 'connecting', retryState: retrying(2), reason },
    'Reconnecting, attempt 3 of 3',
    'It ended.',
  ],
  ['failed', { connectionState: 'error', reason }, 'Error', 'It ended.'],
  ['disabled', { enabled: false, reason }, 'Disabled', null],
  [
    'given up',
    { enabled: false, autoDisabled: true, reason },
    'Disabled after failures',
    'It ended.',
  ],
  ['new', { trust: 'new' }, 'Needs approval', expect.stringContaining('came with')],
  ['changed', { trust: 'changed' }, 'Needs approval', expect.stringContaining('has changed')],
])('describes a server that is %s', (_, change, label, why) => {
  const say = ({ message }: { readonly message: string }) => message;
  const described = describeServerState({ ...unusedServer, ...change }, { say });
  expect(described).toMatchObject({ label, reason: why });
});

test('says that a server is disabled because its test failed', () => {
  const disabled = { ...unusedServer, enabled: false };
  const say = ({ message }: { readonly message: string }) => message;
  expect(describeServerState(disabled, { say, failedTest: 'It ended.' })).toMatchObject({
    label: 'Disabled',
    reason: 'Its test failed. It ended.',
  });
});

test('counts tools, and names steps it does not know as they are', () => {
  expect([toolCount(1), toolCount(2)]).toEqual(['1 tool', '2 tools']);
  expect(describeStep({ name: 'unpack' })).toBe('unpack');
});
