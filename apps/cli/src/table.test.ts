import { expect, test } from 'vitest';
import { paintColumn } from './paint.ts';
import { table } from './table.ts';

test('columns line up, also with wide text', () => {
  const rows = [
    ['name', 'state', 'why'],
    ['日本', 'connected', ''],
    ['vault', 'error', 'exited'],
  ];
  expect(table(rows)).toBe(
    'name   state      why\n' + '日本   connected\n' + 'vault  error      exited\n',
  );
});

test('a cell stays on its line', () => {
  expect(
    table([
      ['a\nb', '\u001b[2J'],
      ['c', 'd'],
    ]),
  ).toBe('a\\nb  \\u001b[2J\nc     d\n');
});

test('paint takes no room', () => {
  const rows = [
    ['a', 'ok', 'x'],
    ['b', 'failed', 'y'],
  ];
  const paint = paintColumn((tone, text) => `<${tone}>${text}</>`, 1, [undefined, 'bad']);
  expect(table(rows, paint)).toBe('a  ok      x\nb  <bad>failed</>  y\n');
  expect(table(rows, paintColumn(undefined, 1, ['good', 'bad']))).toBe(table(rows));
});
