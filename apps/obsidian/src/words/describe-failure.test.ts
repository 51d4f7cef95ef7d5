import type { ErrorInfo } from '@errand/host';
import { expect, test } from 'vitest';
import { describeFailure } from './describe-failure.ts';

test.each<[ErrorInfo['code'], string, string, RegExp]>([
  [
    'session_limit',
    'Session execution limit reached (25). Reset the session or raise mcpSessionLimit in the settings.',
    'Session execution limit reached (25)',
    /^Run the command “Errand: Reset session limits”, or raise the limit/,
  ],
  ['stopped', 'Execution stopped by user', 'Execution stopped by user', /Resume executions”\.$/],
  [
    'server_disabled',
    'Server a is disabled. Enable it with: errand servers enable a',
    'Server a is disabled',
    /^Enable it in the side view of Errand\.$/,
  ],
  [
    'tool_not_found',
    'Tool not found: files.read. Server "a" offers: x, y.',
    'Tool not found: files.read',
    /^Server "a" offers: x, y\. Correct the tool/,
  ],
  [
    'timeout',
    'Execution timeout after 500 ms',
    'Execution timeout after 500 ms',
    /^The server was told to stop\. Run the block again/,
  ],
  [
    'port_in_use',
    'Port 80 is already in use by x. Stop that, or change "ports" of server "a" in the settings; 0 lets Docker choose one.',
    'Port 80 is already in use',
    /^by x\. Stop that, or change "ports"/,
  ],
])('says in the known words what happened, and what to do: %s', (code, message, text, next) => {
  const notice = describeFailure({ code, message });
  expect(notice?.message).toBe(text);
  expect(notice?.detail).toMatch(next);
});

test('leaves a failure that stands in the note to the note', () => {
  expect(describeFailure({ code: 'tool_failed', message: 'It did not work.' })).toBeUndefined();
  expect(describeFailure({ code: 'cancelled', message: 'Execution cancelled' })).toBeUndefined();
});
