import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

const echo = '```scripted\ntool: echo\ntext: hello\n```\n';

test('runs the only block like it when Obsidian does not say where it stands', async () => {
  await using vault = await ScriptedVault.open(echo);
  await forgetPlaces(vault);
  await vault.show('preview');
  await vault.agreeAndRun();
  await vault.hasState('fresh');
  expect(vault.obsidian.file('note.md')).toContain('\nhello\n');
});

test('does not guess between equal blocks', async () => {
  await using vault = await ScriptedVault.open(`${echo}\n${echo}`);
  await forgetPlaces(vault);
  await vault.show('preview');
  const button = vault.obsidian.page.getByRole('button', { name: 'Run', exact: true }).first();
  await button.waitFor();
  expect(await button.isDisabled()).toBe(true);
  const message = vault.obsidian.page.locator('.errand-card-message').first();
  expect(await message.textContent()).toContain('Open the note itself to run it.');
});

test('loads when another plugin shows blocks of the same language', async () => {
  const note = `${echo}\n${echo.replace('scripted', 'mcp')}`;
  await using vault = await ScriptedVault.open(note, { taken: ['scripted'] });
  await vault.show('source');
  const cards = vault.obsidian.page.locator('.errand-card');
  await cards.waitFor();
  expect(await vault.obsidian.page.locator('.notice').textContent()).toContain('"scripted"');
});

test('says so when the server of a card leaves the settings', async () => {
  await using vault = await ScriptedVault.open(echo);
  await vault.show('source');
  await vault.hasState('new');
  await vault.obsidian.harness.evaluate((each) => each.writeData('{ "version": 1 }'));
  const message = vault.obsidian.page.locator('.errand-card-message');
  await message.waitFor();
  expect(await message.textContent()).toContain('no longer in the settings');
});

test('says what is wrong with broken settings and starts when they are mended', async () => {
  const broken = '{ "version": 1,';
  await using vault = await ScriptedVault.open('```mcp\ntool: echo\n```\n', { data: broken });
  const { page, harness, file } = vault.obsidian;
  expect(await page.locator('.notice').textContent()).toContain('data.json');
  expect(file('.obsidian/plugins/errand/data.json')).toBe(broken);
  await harness.evaluate((each) => each.writeData('{ "version": 1 }'));
  await vault.show('source');
  await page.locator('.errand-card').waitFor();
});

async function forgetPlaces({ obsidian }: ScriptedVault): Promise<void> {
  await obsidian.harness.evaluate((each) => {
    each.blocks.knowsPlaces = false;
  });
}
