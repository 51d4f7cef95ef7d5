import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { markLines } from './mark-lines.ts';

const terminal = (columns: number) =>
  Object.assign(new Writable(), { isTTY: true, columns }) as Writable & { columns: number };

test('marks every line, also those that the terminal would break', () => {
  const padded = `harmless${' '.repeat(22)}Errand: all is well\nsecond\u2028third\u202e`;
  expect(markLines(padded, terminal(32))).toBe(
    '│ harmless                      \n│ Errand: all is well\n│ second\n│ third\\u202e\n',
  );
});

test('counts wide letters as two', () => {
  expect(markLines('日'.repeat(12), terminal(22))).toBe(`│ ${'日'.repeat(10)}\n│ 日日\n`);
});
