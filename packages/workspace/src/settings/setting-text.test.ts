import { createMemorySettingsStore } from '@errand/host/testing';
import { expect, test } from 'vitest';
import {
  findSetting,
  listSettings,
  readSettingText,
  settingText,
  withSetting,
} from './setting-text.ts';

test.each([
  ['mcpSessionLimit', '-1', -1],
  ['mcpSessionLimit', 'many', 'many'],
  ['logParameters', 'true', true],
  ['logParameters', 'yes', 'yes'],
  ['attachmentsFolder', '2026', '2026'],
  ['discovery', 'vscode, cursor', ['vscode', 'cursor']],
  ['discovery', '', []],
])('reads %s from %j', async (name, text, value) => {
  const settings = await createMemorySettingsStore('{}').load();
  expect(readSettingText(findSetting(settings, name), text)).toEqual(value);
});

test('sets a value, puts it back to its default, and leaves the rest of the file alone', async () => {
  const store = createMemorySettingsStore('{ "logDays": 7, "later": 1 }');
  await store.save(withSetting('logDays', 9));
  expect(JSON.parse(store.text())).toEqual({ logDays: 9, later: 1 });
  await store.save(withSetting('logDays', undefined));
  expect(JSON.parse(store.text())).toEqual({ later: 1 });
  const all = listSettings(await store.load());
  expect(all).toContainEqual({ key: 'logDays', value: 30, default: 30 });
  expect(all.map(({ value }) => settingText(value))).toContain('at-start');
  await expect(store.save(withSetting('logDays', 'few'))).rejects.toThrow(
    'logDays: Write a whole number of days. Nothing was saved.',
  );
});

test('names the setting that was probably meant', async () => {
  const settings = await createMemorySettingsStore('{}').load();
  expect(() => findSetting(settings, 'logDay')).toThrow('Did you mean "logDays"?');
  expect(() => findSetting(settings, 'colour')).toThrow('There are: mcpGlobalTimeout,');
});
