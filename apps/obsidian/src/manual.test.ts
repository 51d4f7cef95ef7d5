import { readdirSync, readFileSync } from 'node:fs';
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

test('docs/obsidian.md names every command and every setting with a value', () => {
  const [, commands = ''] = /\n## Commands\n(.*?)(?=\n## )/s.exec(page) ?? [];
  const [, limits = ''] = /\n## Limits and log\n(.*?)(?=\n## )/s.exec(page) ?? [];
  const added = namesIn(/(?:addCommand\(\{\s*id:|ofNote\()\s*'[\w-]+',\s*(?:name: )?'([^']+)'/g);
  const settings = namesIn(/(?:\brow\(|choiceRow\(controller,)\s*'\w+',\s*'([^']+)'/g);
  expect(added).toEqual(expect.arrayContaining(['Run block', 'Run note', 'Insert tool call']));
  expect(added.filter((name) => !commands.includes(`*${name}*`))).toEqual([]);
  expect(settings).toEqual(expect.arrayContaining(['Calls at once', 'When a call fails']));
  expect(settings.filter((name) => !limits.includes(`*${name}*`))).toEqual([]);
});

/** What a pattern finds in the source of the plugin. */
function namesIn(pattern: RegExp): readonly string[] {
  const folder = join(import.meta.dirname, 'obsidian');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .flatMap((path) => [...readFileSync(join(folder, path), 'utf8').matchAll(pattern)])
    .map(([, name = '']) => name);
}
