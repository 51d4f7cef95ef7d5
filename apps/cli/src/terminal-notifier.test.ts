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

test('a failure is told in full when something else was told meanwhile', () => {
  const { stderr, notify, tell } = openNotifier();
  notify({ level: 'warning', message: 'X disconnected, retrying...', detail: 'X ended.' });
  notify({ level: 'info', message: 'X connected again' });
  stderr.read();
  tell('X ended. It was tried 2 times.');
  expect(stderr.read()).toBe('X ended. It was tried 2 times.\n');
});

test('what would command the terminal is shown instead', () => {
  const { stderr, notify, tell } = openNotifier();
  notify({ level: 'warning', message: 'It wrote \x1b[2J' });
  tell('and \u202e\r then\r\nended');
  expect(stderr.read()).toBe('It wrote \u241b[2J\nand \ufffd\u240d then\r\nended\n');
});
