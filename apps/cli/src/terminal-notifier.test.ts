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
  const effect = 'The call may have taken effect.';
  tell({ message: `X ended. ${effect}`, facts: { headline: 'X ended.', detail: effect } });
  tell({ message: 'X ended.' });
  tell({ message: 'Y ended.' });
  expect(stderr.read()).toBe(
    'X disconnected, retrying... X ended.\nThe call may have taken effect.\nY ended.\n',
  );
});

test('a failure is told in full when something else was told meanwhile', () => {
  const { stderr, notify, tell } = openNotifier();
  notify({ level: 'warning', message: 'X disconnected, retrying...', detail: 'X ended.' });
  notify({ level: 'info', message: 'X connected again' });
  stderr.read();
  const detail = 'It was tried 2 times.';
  tell({ message: `X ended. ${detail}`, facts: { headline: 'X ended.', detail } });
  expect(stderr.read()).toBe('X ended. It was tried 2 times.\n');
});

test('what a notice has advised is not advised again', () => {
  const { stderr, notify, tell } = openNotifier();
  const advice = [{ kind: 'test-server', server: 'x' }] as const;
  notify({ level: 'warning', message: 'X disconnected, retrying...', detail: 'X ended.', advice });
  tell({ message: 'X ended.', advice });
  tell({ message: 'Y ended.', advice: [{ kind: 'enable-server', server: 'y' }] });
  expect(stderr.read()).toBe(
    'X disconnected, retrying... X ended. See each step, and its last output, with: errand servers test x\n' +
      'Y ended. Enable it with: errand servers enable y\n',
  );
});

test('what would command the terminal is spelled out', () => {
  const { stderr, notify, tell } = openNotifier();
  notify({ level: 'warning', message: 'It wrote \x1b[2J' });
  tell({ message: 'and \u202e\u200b then\tended' });
  expect(stderr.read()).toBe('It wrote \\u001b[2J\nand \\u202e\\u200b then\\tended\n');
});

test('what follows a line break in a message is marked', () => {
  const { stderr, notify, tell } = openNotifier();
  notify({ level: 'warning', message: 'It wrote "x\n\nAll is well."', detail: 'See\r\nhere.' });
  tell({ message: 'It ended\rAll is well.' });
  expect(stderr.read()).toBe(
    'It wrote "x\n│ \n│ All is well.". See\n│ here.\nIt ended\n│ All is well.\n',
  );
});
