import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { terminalNotifier } from './terminal-notifier.ts';

function openNotifier() {
  const stderr = new PassThrough({ encoding: 'utf8' });
  const terminal = { stderr, stdout: stderr, stdin: stderr, env: {}, cwd: '/', interrupt() {} };
  return { stderr, ...terminalNotifier(terminal) };
}

test('a failure is not told twice', () => {
  const { stderr, notify, tell } = openNotifier();
  notify({ level: 'warning', message: 'X disconnected, retrying...', detail: 'X ended.' });
  tell('X ended. The call may have taken effect.');
  tell('X ended.');
  tell('Y ended.');
  expect(stderr.read()).toBe(
    'X disconnected, retrying... X ended.\nThe call may have taken effect.\nY ended.\n',
  );
});

test('only the last hundred notices are remembered', () => {
  const { stderr, notify, tell } = openNotifier();
  for (let count = 0; count <= 100; count += 1) {
    notify({ level: 'warning', message: `Server ${count} ended.` });
  }
  stderr.read();
  tell('Server 1 ended.');
  expect(stderr.read()).toBeNull();
  tell('Server 0 ended.');
  expect(stderr.read()).toBe('Server 0 ended.\n');
});
