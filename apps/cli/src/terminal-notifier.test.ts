import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { terminalNotifier } from './terminal-notifier.ts';

test('a failure is not told twice', () => {
  const stderr = new PassThrough({ encoding: 'utf8' });
  const terminal = { stderr, stdout: stderr, stdin: stderr, env: {}, cwd: '/', interrupt() {} };
  const { notify, tell } = terminalNotifier(terminal);
  notify({ level: 'warning', message: 'X disconnected, retrying...', detail: 'X ended.' });
  tell('X ended. The call may have taken effect.');
  tell('X ended.');
  tell('Y ended.');
  expect(stderr.read()).toBe(
    'X disconnected, retrying... X ended.\nThe call may have taken effect.\nY ended.\n',
  );
});
