import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '@errand/host';
import { expect, test } from 'vitest';
import manifest from '../manifest.json' with { type: 'json' };

const page = readFileSync(join(import.meta.dirname, '../../../docs/obsidian.md'), 'utf8');

test('the settings in docs/obsidian.md can be used', () => {
  const [, example] = /```json\n(.*?)```/s.exec(page) ?? [];
  const { mcpServers, problems } = readSettings(example, 'data.json');
  expect(problems).toEqual([]);
  expect(mcpServers.map(({ name }) => name)).toEqual(['files']);
});

test('docs/obsidian.md says what the plugin touches, and what it needs', () => {
  const [, disclosed = ''] = /\n## What it touches\n(.*?)(?=\n## )/s.exec(page) ?? [];
  for (const subject of [
    'network',
    'Files in the vault',
    'Files outside the vault',
    'account',
    'telemetry',
  ]) {
    expect(disclosed).toContain(subject);
  }
  expect(page).toContain(`Obsidian ${manifest.minAppVersion} or later`);
  expect(page).toContain(`.obsidian/plugins/${manifest.id}`);
});
