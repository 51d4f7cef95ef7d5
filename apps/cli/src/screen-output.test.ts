import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { errorPaint, screenOutput } from './screen-output.ts';

test('escapes terminal control codes', () => {
  const screen = Object.assign(new PassThrough({ encoding: 'utf8' }), { columns: 80, isTTY: true });
  const output = screenOutput(screen);
  output.write('\x1b]52;c;cm0gLXJm\x07a\tb\r\n\x1b[2Jc\x00\x7f\u009b31m é 🎉\n');
  expect(screen.read()).toBe(
    '\\u001b]52;c;cm0gLXJm\\u0007a\tb\r\n\\u001b[2Jc\\u0000\\u007f\\u009b31m é 🎉\n',
  );
  expect({ isTTY: output.isTTY, columns: output.columns }).toEqual({ isTTY: true, columns: 80 });
});

test('paints on a terminal that has colours, and lets nobody else do so', () => {
  const terminal = () => Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true });
  const screen = terminal();
  const output = screenOutput(screen, {});
  output.write(`\u001b[31mtheirs ${output.paint?.('bad', 'ours \u001b[2J')}\n`);
  expect(screen.read()).toBe('\\u001b[31mtheirs \u001b[31mours \\u001b[2J\u001b[39m\n');
  expect(screenOutput(terminal(), { NO_COLOR: '1' }).paint).toBeUndefined();
  expect(screenOutput(terminal(), { TERM: 'dumb' }).paint).toBeUndefined();
  expect(screenOutput(new PassThrough(), {}).paint).toBeUndefined();
  expect(errorPaint(terminal(), {})?.('good', 'ok')).toBe('\u001b[32mok\u001b[39m');
  expect(errorPaint(terminal(), { NO_COLOR: '1' })).toBeUndefined();
  expect(errorPaint(terminal(), { TERM: 'dumb' })).toBeUndefined();
  expect(errorPaint(new PassThrough(), {})).toBeUndefined();
});
