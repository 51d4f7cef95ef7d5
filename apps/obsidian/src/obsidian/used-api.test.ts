import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../manifest.json' with { type: 'json' };
import { usedApi } from '../testing/api/used-api.ts';

/** What is newer than the oldest Obsidian the plugin runs in, and how it does without. */
const guarded: Readonly<Record<string, string>> = {
  'Plugin.registerCliHandler': 'Older versions have no command line, and get no handlers.',
  'CliFlag.description': 'Part of a handler.',
  'CliFlag.required': 'Part of a handler.',
  'CliFlag.value': 'Part of a handler.',
  'PluginSettingTab.getSettingDefinitions': 'Older versions call `display`, which draws the same.',
  'SettingDefinitionBase.name': 'Part of the definitions.',
  SettingDefinitionItem: 'Part of the definitions.',
  'SettingDefinitionPage.name': 'Part of the definitions.',
  SettingGroupItem: 'Part of the definitions.',
  'SettingTab.update': 'Asks for the definitions again.',
};

const home = join(import.meta.dirname, '../..');
const used = usedApi(join(home, 'tsconfig.json'), (file) =>
  /\/apps\/obsidian\/src\/(?!testing\/)(?!.*\.test\.ts$)/.test(file),
);
const isNewer = ({ since = '0' }) =>
  since.localeCompare(manifest.minAppVersion, 'en', { numeric: true }) > 0;

test.each([
  ['Plugin', 'a class'],
  ['Plugin.registerMarkdownCodeBlockProcessor', 'a method that is called'],
  ['Vault.adapter', 'a property that is taken out by its name'],
  ['Plugin.onExternalSettingsChange', 'a method that is overridden'],
  ['EditorTransaction.changes', 'a property that is handed over'],
  ["Workspace.on('quit')", 'an event'],
  ['Node.createEl', 'an addition to the page'],
])('sees the use of %s, %s', (name) => {
  expect(used.map((each) => each.name)).toContain(name);
});

test('reads the version that brought a member, or its class', () => {
  const versions = Object.fromEntries(used.map(({ name, since }) => [name, since]));
  expect(versions['App.secretStorage']).toBe('1.11.4');
  expect(versions["Workspace.on('editor-change')"]).toBe('1.1.1');
});

test('uses only the API of the oldest supported Obsidian, or guards the use', () => {
  const unguarded = used.filter(isNewer).filter(({ name }) => !(name in guarded));
  expect(unguarded).toEqual([]);
});

test('has no unnecessary guard', () => {
  const needed = new Set(used.filter(isNewer).map(({ name }) => name));
  expect(Object.keys(guarded).filter((name) => !needed.has(name))).toEqual([]);
});
