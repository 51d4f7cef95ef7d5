import { fixedError, HostError } from '@errand/host';
import { expect, test } from 'vitest';
import { adviceForErrorCode, inObsidian, urgentNotice } from './advice.ts';

test.each([
  [
    fixedError('session_limit', { limit: 25 }),
    'Session execution limit reached (25)',
    /^Run the command “Errand: Reset session limits”/,
  ],
  [fixedError('stopped'), 'Execution stopped by user', /Resume executions”\.$/],
  [
    fixedError('server_disabled', { server: 'a' }),
    'Server a is disabled',
    /^Enable it in the side view of Errand\.$/,
  ],
  [
    fixedError('tool_not_found', { tool: 'x', detail: 'Server "a" offers: y.' }),
    'Tool not found: x',
    /^Server "a" offers: y\. Correct the tool/,
  ],
  [
    fixedError('timeout', { timeoutMs: 500 }),
    'Execution timeout after 500 ms',
    /^Run the block again/,
  ],
  [
    fixedError('port_in_use', { port: 80, detail: 'Stop that.' }),
    'Port 80 is already in use',
    /^Stop that\.$/,
  ],
])('says at once what happened, and what to do: %s', (error, message, next) => {
  const notice = urgentNotice(error);
  expect(notice?.message).toBe(message);
  expect(notice?.detail).toMatch(next);
});

test('does not repeat a failure that the note shows', () => {
  expect(urgentNotice({ code: 'tool_failed', message: 'It did not work.' })).toBeUndefined();
});

test('advises a token once where logging in is not possible', () => {
  const advice = [
    { kind: 'log-in', server: 'a' },
    { kind: 'set-token', server: 'a' },
  ] as const;
  const text = inObsidian(new HostError('login_required', 'It wants a login.', {}, { advice }));
  expect(text).toMatch(/^It wants a login\. Put a token into its "headers"[^.]*\.$/);
});

test('advises what to do about an error that a note stores', () => {
  expect(adviceForErrorCode('server_disabled')).toBe('Enable it in the side view of Errand.');
  expect(adviceForErrorCode('tool_failed')).toBe('');
});
