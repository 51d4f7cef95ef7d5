import { unusedServerView } from '@errand/workspace/testing';
import { stepInWords, toolCount } from '@errand/workspace/words';
import { expect, test } from 'vitest';
import type { Server } from '../../contract.ts';
import { describeState } from './server-words.ts';

const server: Server = { ...unusedServerView, test: null };
const problem = { code: 'server_unavailable', message: 'It ended.' };

test.each<[string, Partial<Server>, string, string | null]>([
  ['unused', {}, 'Not connected', 'It is started when it is first used.'],
  ['connected', { connectionState: 'connected' }, 'Connected', null],
  [
    'on its way',
    { connectionState: 'connecting', step: { name: 'pull', detail: '3 of 9 MB' } },
    'Connecting',
    'Fetching the image: 3 of 9 MB',
  ],
  [
    'between two tries',
    { connectionState: 'error', isRetrying: true, attempt: 1, problem },
    'Retrying: attempt 2 of 3',
    'It ended.',
  ],
  [
    'tried again',
    { connectionState: 'connecting', isRetrying: true, attempt: 2, problem },
    'Trying again, attempt 3 of 3',
    'It ended.',
  ],
  ['failed', { connectionState: 'error', problem }, 'Error', 'It ended.'],
  ['disabled', { enabled: false, problem }, 'Disabled', null],
  [
    'not enabled, because its test failed',
    {
      enabled: false,
      test: { isRunning: false, startedAt: 0, steps: [], tools: null, error: problem },
    },
    'Disabled',
    'Its test failed. It ended.',
  ],
  [
    'given up',
    { enabled: false, autoDisabled: true, problem },
    'Switched off after failures',
    'It ended.',
  ],
  ['new', { trust: 'new' }, 'Waiting for your yes', expect.stringContaining('came with')],
  ['changed', { trust: 'changed' }, 'Waiting for your yes', expect.stringContaining('has changed')],
])('says how a server is that is %s', (_, change, state, reason) => {
  expect(describeState({ ...server, ...change })).toMatchObject({ state, reason });
});

test('counts tools, and names steps it does not know as they are', () => {
  expect([toolCount(1), toolCount(2)]).toEqual(['1 tool', '2 tools']);
  expect(stepInWords({ name: 'unpack' })).toBe('unpack');
});
