import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedVault } from '../testing/scripted-vault.ts';

const hang = '```scripted\ntool: hang\n```\n';
const dataFile = '.obsidian/plugins/errand/data.json';

test('keeps running while the data file is gone for a moment, and does not recreate it', async () => {
  await using vault = await ScriptedVault.open(hang);
  const { harness, page, home, file } = vault.obsidian;
  const before = file(dataFile);
  await vault.show('source');
  await vault.agreeAndRun();
  await vault.heard('call');
  await harness.evaluate((each) => each.writeData(null));
  await vault.hasState('running');
  await harness.evaluate((each) => each.settings.open());
  await page.getByText('The file is gone.').waitFor();
  await page.getByText('scripted', { exact: true }).first().waitFor();
  await harness.evaluate((each) => each.settings.close());
  expect(existsSync(join(home, 'vault', dataFile))).toBe(false);
  await harness.evaluate((each, text) => each.writeData(text), before);
  await vault.hasState('running');
  expect(vault.journal.filter(({ kind }) => kind === 'started')).toHaveLength(1);

  await harness.evaluate((each) => each.writeData(null));
  await harness.evaluate((each) => each.unload());
  expect(existsSync(join(home, 'vault', dataFile))).toBe(false);
});

const own = '.errand/settings.json';
const withLimit = (limit: number) => JSON.stringify({ version: 1, mcpSessionLimit: limit });

test('uses the settings file of the vault, and writes no data file', async () => {
  await using vault = await ScriptedVault.open('Text.\n', {
    notes: { [own]: withLimit(7) },
    data: '{}',
  });
  const { harness, page, file } = vault.obsidian;
  await harness.evaluate((each) => each.settings.open());
  const field = page.locator('.setting-item', { hasText: 'Calls of one session' }).locator('input');
  await expect.poll(() => field.inputValue(), { timeout: 20_000 }).toBe('7');
  await field.fill('8');
  await field.press('Enter');
  await expect
    .poll(() => JSON.parse(file(own)), { timeout: 20_000 })
    .toMatchObject({ mcpSessionLimit: 8 });
  expect(file(dataFile)).toBe('{}');
});

test('asks which of two settings files holds, and keeps the other as a backup', async () => {
  await using vault = await ScriptedVault.open('Text.\n', { notes: { [own]: withLimit(7) } });
  const { page, home, harness } = vault.obsidian;
  await page.getByText('This vault has two settings files.').waitFor();
  await page.locator('.setting-item', { hasText: dataFile }).getByRole('button').click();
  await vault.notice('.errand/settings.json.bak-');
  await harness.evaluate((each) => each.settings.open());
  await page.getByText('scripted', { exact: true }).first().waitFor();
  const backups = readdirSync(join(home, 'vault/.errand')).filter((name) => name.includes('.bak-'));
  expect(backups).toHaveLength(1);
  expect(vault.obsidian.file(`.errand/${backups[0]}`)).toBe(withLimit(7));
  expect(existsSync(join(home, 'vault', own))).toBe(false);
});

test('starts when broken settings outside the data file are fixed', async () => {
  await using vault = await ScriptedVault.open('```mcp\ntool: echo\n```\n', {
    notes: { [own]: '{ "version": 1,' },
    data: '{}',
  });
  expect(await vault.notice('settings.json, line 1')).toContain('.errand/settings.json');
  writeFileSync(join(vault.obsidian.home, 'vault', own), '{ "version": 1 }');
  await vault.show('source');
  await vault.obsidian.page.locator('.errand-card').waitFor();
});
