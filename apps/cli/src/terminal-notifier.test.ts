import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { terminalNotifier } from './terminal-notifier.ts';

function openNotifier() {
  const stderr = new PassThrough({ encoding: 'utf8' });
  const terminal = { stderr, stdout: stderr, stdin: stderr, env: {}, cwd: '/', interrupt() {} };
  return { stderr, ...terminalNotifier(terminal) };
}

test('does not report a failure twice', () => {
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

test('reports a failure in full when another notice came in between', () => {
  const { stderr, notify, tell } = openNotifier();
  notify({ level: 'warning', message: 'X disconnected, retrying...', detail: 'X ended.' });
  notify({ level: 'info', message: 'X connected again' });
  stderr.read();
  const detail = 'It was tried 2 times.';
  tell({ message: `X ended. ${detail}`, facts: { headline: 'X ended.', detail } });
  expect(stderr.read()).toBe('X ended. It was tried 2 times.\n');
});

test('does not repeat the advice of a notice', () => {
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

test('escapes terminal control codes in notices', () => {
  const { stderr, notify, tell } = openNotifier();
  notify({ level: 'warning', message: 'It wrote \x1b[2J' });
  tell({ message: 'and \u202e\u200b then\tended' });
  expect(stderr.read()).toBe('It wrote \\u001b[2J\nand \\u202e\\u200b then\\tended\n');
});

test('marks the lines of a message after the first', () => {
  const { stderr, notify, tell } = openNotifier();
  notify({ level: 'warning', message: 'It wrote "x\n\nAll is well."', detail: 'See\r\nhere.' });
  tell({ message: 'It ended\rAll is well.' });
  expect(stderr.read()).toBe(
    'It wrote "x\n│ \n│ All is well.". See\n│ here.\nIt ended\n│ All is well.\n',
  );
});
