import { createMemorySettingsStore, localServer, memoryHost } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { missingSecrets, readStoredSettings, saveSettings } from './stored-settings.ts';

test('reads what is stored with its problems, one line each', async () => {
  const store = createMemorySettingsStore('{ "logDays": 7, "colour": "blue" }');
  const { settings, problems } = await readStoredSettings(store);
  expect(settings?.logDays).toBe(7);
  expect(problems).toEqual([
    { message: expect.stringMatching(/^settings in memory:1:\d+: colour: /) },
  ]);
});

test('reports unreadable settings as one problem', async () => {
  const { settings, problems } = await readStoredSettings(createMemorySettingsStore('{'));
  expect(settings).toBeUndefined();
  expect(problems).toHaveLength(1);
});

test('says that the settings are gone, until they are back', async () => {
  const store = createMemorySettingsStore('{ "logDays": 7 }');
  await store.load();
  store.write(undefined);
  const { settings, problems } = await readStoredSettings(store);
  expect(settings?.logDays).toBe(7);
  expect(problems).toMatchObject([{ message: expect.stringContaining('The file is gone.') }]);
  store.write('{ "logDays": 7 }');
  expect((await readStoredSettings(store)).problems).toEqual([]);
});

test('a saved change is stored and in force', async () => {
  await using memory = await memoryHost([localServer('a')]);
  await saveSettings(memory, (all) => ({ ...all, logDays: 3 }));
  expect(memory.host.servers.settings.logDays).toBe(3);
  expect(JSON.parse(memory.settings.text()).logDays).toBe(3);
});

test('finds the secrets that are named and not set', async () => {
  const env = { A: '$' + '{secret:one}', B: '$' + '{secret:two}' };
  const server = localServer('a');
  const localConfig = { command: 'x', ...server.localConfig, env };
  await using memory = await memoryHost([{ ...server, localConfig }]);
  expect(missingSecrets(memory.host.servers.settings, ['two'])).toEqual(['one']);
});
