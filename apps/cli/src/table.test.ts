import { expect, test } from 'vitest';
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
