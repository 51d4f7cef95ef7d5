import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { long, patience, SettingsDriver } from '../../testing/settings-driver.ts';

const { localConfig } = scriptedServerConfig();

test('pasted JSON is read, renamed where it must be, tested and enabled', long, async () => {
  await using driver = await SettingsDriver.open({ version: 1 });
  await driver.press('Paste');
  expect(await driver.button('Read it').isDisabled()).toBe(true);
  await driver.type('Configuration', '{ "mcpServers": ');
  await driver.press('Read it');
  await driver.sees(/The pasted text/);
  const mcpServers = { 'my notes': localConfig, off: { ...localConfig, disabled: true } };
  await driver.type('Configuration', JSON.stringify({ mcpServers }));
  await driver.press('Read it');
  await driver.sees(/Imported as "my-notes"/);
  await driver.toggle('Add off');
  await driver.press('Add selected');
  await expect
    .poll(() => driver.data.mcpServers?.map(({ name, enabled }) => [name, enabled]), patience)
    .toEqual([
      ['my-notes', true],
      ['off', false],
    ]);
  // Chosen here, so agreed to.
  await expect.poll(() => driver.value('my-notes').textContent(), patience).toMatch(/^connected/);
  // Another one under the same name stands beside it.
  await driver.press('Paste');
  const other = { ...localConfig, args: [...(localConfig?.args ?? []), 'other'], disabled: true };
  await driver.type('Configuration', JSON.stringify({ mcpServers: { off: other } }));
  await driver.press('Read it');
  await driver.sees(/Imported as "off-2": the name "off" is taken/);
  await driver.toggle('Add off-2');
  await driver.press('Add selected');
  await expect
    .poll(() => driver.data.mcpServers?.map(({ name }) => name), patience)
    .toEqual(['my-notes', 'off', 'off-2']);
});

test('what looks like a secret in a pasted server is kept as one', long, async () => {
  await using driver = await SettingsDriver.open({ version: 1 });
  await driver.press('Paste');
  const env = { API_KEY: 'swordfish', LANG: 'en' };
  const mcpServers = { one: { ...localConfig, env }, two: { ...localConfig, env } };
  await driver.type('Configuration', JSON.stringify({ mcpServers }));
  await driver.press('Read it');
  await driver.toggle('Keep API_KEY of two as secrets');
  await driver.press('Add selected');
  await expect
    .poll(() => driver.data.mcpServers?.map(({ localConfig: config }) => config?.env), patience)
    .toEqual([{ ...env, API_KEY: `\${secret:one-api-key}` }, env]);
});

test('servers of other programs on this computer are found and offered', long, async () => {
  await using driver = await SettingsDriver.open({ version: 1 });
  const folder = join(driver.vault.obsidian.home, '.cursor');
  mkdirSync(folder);
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { theirs: localConfig } }));
  await driver.press('Look');
  await driver.sees(/From Cursor \(.*mcp\.json\)/);
  await driver.press('Add selected');
  await expect
    .poll(() => driver.data.mcpServers?.map(({ name, enabled }) => [name, enabled]), patience)
    .toEqual([['theirs', true]]);
  await driver.press('Look');
  await driver.sees('No other servers were found.');
});

test('does not preselect servers that came with the vault', long, async () => {
  await using driver = await SettingsDriver.open({ version: 1 });
  const folder = join(driver.vault.obsidian.home, 'vault', '.cursor');
  mkdirSync(folder);
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { theirs: localConfig } }));
  await driver.press('Look');
  await driver.sees(/From Cursor \(.*mcp\.json\), which came with this vault/);
  await driver.sees(/your approval does not cover: what lies in this vault/);
  await driver.press('Add selected');
  await driver.press('Look');
  await driver.toggle('Add theirs');
  await driver.press('Add selected');
  await expect
    .poll(() => driver.data.mcpServers?.map(({ name, enabled }) => [name, enabled]), patience)
    .toEqual([['theirs', true]]);
});

test('a Docker image or a URL asks only for what it needs', long, async () => {
  await using driver = await SettingsDriver.open({ version: 1 });
  await driver.press('Add a server');
  await driver.type('Command', 'kept');
  await driver.choose('How it is reached', 'image');
  expect(await driver.field('Command').count()).toBe(0);
  await driver.type('Image', 'mcp/weather:1');
  expect(await driver.field('Port in the container').count()).toBe(0);
  await driver.choose('Transport', 'http');
  expect(await driver.field('Image').inputValue()).toBe('mcp/weather:1');
  await driver.type('Port in the container', '99999');
  expect(await driver.mistake('Port in the container').textContent()).toBe(
    'Write a port from 1 to 65535.',
  );
  await driver.choose('How it is reached', 'url');
  await driver.type('Address', 'ftp://host');
  expect(await driver.mistake('Address').textContent()).toContain('Write');
  await driver.type('Address', 'http://127.0.0.1:9/mcp');
  await driver.type('Headers', 'Authorization: Bearer abc');
  await driver.press('Keep Authorization as a secret');
  await expect
    .poll(() => driver.field('Headers').inputValue(), patience)
    .toBe(`Authorization: Bearer \${secret:local-9-authorization}`);
  await driver.press('Add and test');
  await driver.press('Enable it anyway');
  await expect
    .poll(() => driver.data.mcpServers, patience)
    .toMatchObject([
      { name: 'local-9', transport: 'http', deploymentType: 'external', enabled: true },
    ]);
  expect(driver.text).not.toContain('abc');
});
