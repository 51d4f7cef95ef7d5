import { expect, test } from 'vitest';
import { table } from './table.ts';

test('columns line up, also with wide and coloured text', () => {
  const rows = [
    ['name', 'state', 'why'],
    ['日本', '\u001b[32mconnected\u001b[39m', ''],
    ['vault', 'error', 'exited'],
  ];
  expect(table(rows)).toBe(
    'name   state      why\n' +
      '日本   \u001b[32mconnected\u001b[39m\n' +
      'vault  error      exited\n',
  );
});
