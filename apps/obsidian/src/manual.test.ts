import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '@errand/host';
import { expect, test } from 'vitest';

test('the settings in docs/obsidian.md can be used', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/obsidian.md'), 'utf8');
  const [, example] = /```json\n(.*?)```/s.exec(page) ?? [];
  const { mcpServers, problems } = readSettings(example, 'data.json');
  expect(problems).toEqual([]);
  expect(mcpServers.map(({ name }) => name)).toEqual(['files']);
});
