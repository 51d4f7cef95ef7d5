import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import type { SecretList, SettingsState } from '../../contract.ts';
import { openTestWorkbench } from '../testing/test-workbench.ts';

test('shows and changes settings; a wrong value is explained at its field', async () => {
  await using workbench = await openTestWorkbench();
  const page = await workbench.open();
  using events = await page.follow();
  expect(await page.get<SettingsState>('/settings')).toMatchObject({
    values: { mcpGlobalTimeout: 30_000, mcpSessionLimit: 25, onError: 'replace' },
    problems: [],
  });
  const change = { mcpSessionLimit: -1, logDays: 7 };
  expect(await page.send<SettingsState>('PATCH', '/settings', change)).toMatchObject({
    values: change,
  });
  await events.until('settings-changed', ({ settings }) => settings.values.logDays === 7);
  expect(JSON.parse(await workbench.readNote('.errand/settings.json'))).toMatchObject(change);
  for (const [name, value] of Object.entries({
    mcpGlobalTimeout: 5,
    mcpConcurrentLimit: 0,
    onError: 'explode',
    attachmentsFolder: '../elsewhere',
    logDays: 'many',
    mcpServers: [],
  })) {
    expect(await page.fails('PATCH', '/settings', { [name]: value })).toMatchObject({
      status: 422,
      code: 'invalid_input',
    });
  }
  expect(await page.fails('PATCH', '/settings', { logDays: 0 })).toMatchObject({
    fields: { logDays: 'Write at least 1, in days.' },
  });
  await workbench.writeNote('.errand/settings.json', '{ "version": 1, ');
  const broken = await page.get<SettingsState>('/settings');
  expect(broken).toMatchObject({
    values: { logDays: 7 },
    problems: [{ message: expect.any(String) }],
  });
});

test('applies and reports settings that another program writes', async () => {
  await using workbench = await openTestWorkbench();
  const page = await workbench.open();
  using events = await page.follow();
  const text = JSON.stringify({ version: 1, mcpServers: [], mcpSessionLimit: 7, logDays: 'x' });
  await workbench.writeNote('.errand/settings.json', text);
  await page.get('/settings');
  const changed = await events.until('settings-changed');
  expect(changed.settings).toMatchObject({
    values: { mcpSessionLimit: 7, logDays: 30 },
    problems: [{ message: expect.stringContaining('logDays') }],
  });
});

test('names secrets, those that are missing too, and never shows a value', async () => {
  const env = { KEY: `\${secret:crm}` };
  const server = scriptedServerConfig();
  const localConfig = { command: 'x', ...server.localConfig, env };
  await using workbench = await openTestWorkbench({
    settings: { mcpServers: [{ ...server, localConfig }] },
  });
  const page = await workbench.open();
  expect(await page.get<SecretList>('/secrets')).toEqual({ names: [], missing: ['crm'] });
  const { status, text } = await page.ask('/secrets/crm', {
    method: 'PUT',
    body: { value: 'hush' },
  });
  expect({ status, list: JSON.parse(text) }).toEqual({
    status: 200,
    list: { names: ['crm'], missing: [] },
  });
  expect(await page.fails('PUT', '/secrets/crm', { value: '' })).toMatchObject({ status: 422 });
  expect(await page.fails('PUT', '/secrets/a%7Db', { value: 'x' })).toMatchObject({ status: 422 });
  expect(await page.send<SecretList>('DELETE', '/secrets/crm')).toMatchObject({ names: [] });
  expect(await page.fails('DELETE', '/secrets/crm')).toMatchObject({ status: 404 });
});

test('answers a clear error for unknown routes and wrong requests', async () => {
  await using workbench = await openTestWorkbench();
  const page = await workbench.open();
  expect(await page.fails('GET', '/nothing')).toMatchObject({ status: 404, code: 'not_found' });
  expect(await page.fails('POST', '/trust', 'text')).toMatchObject({ status: 422 });
});
