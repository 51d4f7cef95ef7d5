import { scriptedServerConfig } from '@errand/machine/testing';
import { joinCommand } from '@errand/workspace/servers';
import { expect, test } from 'vitest';
import { long, patience, SettingsDriver, ways } from '../../testing/settings-driver.ts';

const { localConfig } = scriptedServerConfig();
const command = joinCommand([localConfig?.command ?? '', ...(localConfig?.args ?? [])]);
const empty = { version: 1 };

test.each(ways)('a command is stored, tested and enabled ($way)', long, async ({ drawsTabs }) => {
  await using driver = await SettingsDriver.open(empty, { drawsTabs });
  await driver.sees('No server yet.');
  await driver.press('Add a server');
  expect(await driver.button('Add and test').isDisabled()).toBe(true);
  await driver.type('Command', 'npx -y @modelcontextprotocol/server-filesystem .');
  expect(await driver.field('Name').inputValue()).toBe('filesystem');
  await driver.type('Command', command);
  await driver.type('Name', 'mermaid');
  expect(await driver.mistake('Name').textContent()).toContain('language of other code blocks');
  expect(await driver.button('Add and test').isDisabled()).toBe(true);
  await driver.type('Name', 'scripted');
  expect(await driver.mistake('Name').textContent()).toBe('');
  await driver.press('Add and test');
  await driver.sees(/^It works and has \d+ tools\.$/);
  await driver.sees(/^✓ Connecting: [\d.]+ m?s$/);
  expect(driver.data.mcpServers).toMatchObject([{ name: 'scripted', enabled: true }]);
  await driver.vault.obsidian.page.getByText('Close', { exact: true }).click();
  await driver.openPage('scripted');
  await driver
    .row('State')
    .getByText(/^Connected/)
    .waitFor();

  // It is there again, and agreed to, when the plugin is loaded anew.
  await driver.vault.obsidian.harness.evaluate((each) => each.reload());
  await driver.show();
  await expect.poll(() => driver.value('scripted').textContent(), patience).toMatch(/^connected/);
});

test('keeps a server whose test fails disabled, and asks what to do', long, async () => {
  await using driver = await SettingsDriver.open(empty);
  await driver.press('Add a server');
  await driver.type('Command', 'errand-no-such-program');
  await driver.type('Name', 'broken');
  await driver.press('Add and test');
  await driver.button('Keep it disabled').waitFor();
  expect(driver.data.mcpServers).toMatchObject([{ name: 'broken', enabled: false }]);
  await driver.press('Change it');
  expect(await driver.field('Command').inputValue()).toBe('errand-no-such-program');
  await driver.type('Command', command);
  await driver.press('Save and test');
  await driver.sees(/^It works and has/);
  expect(driver.data.mcpServers).toMatchObject([{ name: 'broken', enabled: true }]);
});
