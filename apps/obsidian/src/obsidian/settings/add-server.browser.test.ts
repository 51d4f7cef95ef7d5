import { scriptedServerConfig } from '@errand/machine/testing';
import { joinCommand } from '@errand/workspace/servers';
import { expect, test } from 'vitest';
import { long, patience, SettingsHands, ways } from '../../testing/settings-hands.ts';

const { localConfig } = scriptedServerConfig();
const command = joinCommand([localConfig?.command ?? '', ...(localConfig?.args ?? [])]);
const empty = { version: 1 };

test.each(ways)('a command is stored, tested and enabled ($way)', long, async ({ drawsTabs }) => {
  await using hands = await SettingsHands.open(empty, { drawsTabs });
  await hands.sees('No server yet.');
  await hands.press('Add a server');
  expect(await hands.button('Add and test').isDisabled()).toBe(true);
  await hands.type('Command', 'npx -y @modelcontextprotocol/server-filesystem .');
  expect(await hands.field('Name').inputValue()).toBe('filesystem');
  await hands.type('Command', command);
  await hands.type('Name', 'mermaid');
  expect(await hands.mistake('Name').textContent()).toContain('language of other code blocks');
  expect(await hands.button('Add and test').isDisabled()).toBe(true);
  await hands.type('Name', 'scripted');
  expect(await hands.mistake('Name').textContent()).toBe('');
  await hands.press('Add and test');
  await hands.sees(/^It works and has \d+ tools\.$/);
  await hands.sees(/^✓ Saying hello: [\d.]+ m?s$/);
  expect(hands.data.mcpServers).toMatchObject([{ name: 'scripted', enabled: true }]);
  await hands.vault.obsidian.page.getByText('Close', { exact: true }).click();
  await hands.openPage('scripted');
  await hands.row('State').getByText('Not connected').waitFor();

  // It is there again, and agreed to, when the plugin is loaded anew.
  await hands.vault.obsidian.harness.evaluate((each) => each.reload());
  await hands.show();
  await expect.poll(() => hands.value('scripted').textContent(), patience).toBe('not connected');
});

test('a server whose test fails stays disabled, and what to do is asked', long, async () => {
  await using hands = await SettingsHands.open(empty);
  await hands.press('Add a server');
  await hands.type('Command', 'errand-no-such-program');
  await hands.type('Name', 'broken');
  await hands.press('Add and test');
  await hands.button('Keep it disabled').waitFor();
  expect(hands.data.mcpServers).toMatchObject([{ name: 'broken', enabled: false }]);
  await hands.press('Change it');
  expect(await hands.field('Command').inputValue()).toBe('errand-no-such-program');
  await hands.type('Command', command);
  await hands.press('Save and test');
  await hands.sees(/^It works and has/);
  expect(hands.data.mcpServers).toMatchObject([{ name: 'broken', enabled: true }]);
});
