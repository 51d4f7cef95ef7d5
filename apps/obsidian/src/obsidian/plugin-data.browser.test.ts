import { existsSync } from 'node:fs';
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
