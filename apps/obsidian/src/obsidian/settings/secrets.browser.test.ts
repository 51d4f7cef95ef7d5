import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { patience, SettingsDriver } from '../../testing/settings-driver.ts';

const value = 'hush-4711';

test('stores a plain-text secret in Obsidian, and only its name in the data file', async () => {
  const server = scriptedServerConfig();
  await using driver = await SettingsDriver.open({ version: 1, mcpServers: [server] });
  const { harness } = driver.vault.obsidian;
  await driver.openPage('scripted');
  await driver.press('Edit');
  await driver.type('Environment', `API_TOKEN=${value}`);
  await driver.press('Keep API_TOKEN as a secret');
  const reference = `API_TOKEN=\${secret:scripted-api-token}`;
  await expect.poll(() => driver.field('Environment').inputValue(), patience).toBe(reference);
  await harness.evaluate((each) => each.secrets.setSecret('other-key', 'other-value'));
  expect(await harness.evaluate((each) => each.secrets.getSecret('scripted-api-token'))).toBe(
    value,
  );
  await driver.press('Save and test');
  await expect
    .poll(() => driver.data.mcpServers[0]?.localConfig?.env, patience)
    .toEqual({ API_TOKEN: `\${secret:scripted-api-token}` });
  expect(driver.text).not.toContain(value);
});

test('assistants are added with a key that Obsidian keeps, changed, chosen and removed', async () => {
  await using driver = await SettingsDriver.open({ version: 1 });
  const { harness, page } = driver.vault.obsidian;
  await driver.sees('No assistant yet.');
  await driver.press('Add an assistant');
  await driver.type('Name', 'User');
  expect(await driver.mistake('Name').textContent()).toContain('Write a name of letters');
  await driver.type('Name', 'Claude');
  await driver.type('Model', 'claude-sonnet-4-5');
  expect(await driver.button('Save').isDisabled()).toBe(true);
  await driver.type('New key', value);
  await driver.press('Keep as a secret');
  await expect.poll(() => page.locator('.secret-select').inputValue(), patience).toBe('claude');
  await driver.press('Save');
  await driver.row('Claude').waitFor();
  expect(driver.data.assistants).toEqual([
    {
      name: 'Claude',
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      key: `\${secret:claude}`,
    },
  ]);
  expect(driver.text).not.toContain(value);
  expect(await harness.evaluate((each) => each.secrets.getSecret('claude'))).toBe(value);
  await expect.poll(() => driver.button('Agree to Claude').count(), patience).toBe(0);
  await driver.row('claude').waitFor();

  await driver.press('Add an assistant');
  await driver.type('New key', 'typed-only');
  // Another plugin keeps one of this name meanwhile.
  await harness.evaluate((each) => each.secrets.setSecret('local', 'not ours'));
  await driver.choose('Provider', 'openai-compatible');
  await driver.type('Name', 'Local');
  await driver.type('Model', 'qwen3');
  await driver.type('Base URL', 'http://127.0.0.1:11434/v1');
  await driver.press('Save');
  await expect.poll(() => driver.data.assistants[1]?.key, patience).toBe(`\${secret:local-2}`);
  const secrets = ['local', 'local-2'];
  expect(
    await harness.evaluate(
      (each, names) => names.map((name) => each.secrets.getSecret(name)),
      secrets,
    ),
  ).toEqual(['not ours', 'typed-only']);
  expect(driver.text).not.toContain('typed-only');
  await driver.vault.obsidian.page.getByRole('dialog').waitFor({ state: 'detached' });
  await driver.press('Make Local the default');
  await expect
    .poll(() => driver.data.assistants.map(({ name }) => name), patience)
    .toEqual(['Local', 'Claude']);
  await driver.press('Edit Local');
  await driver.type('Temperature', '0.2');
  await driver.press('Save');
  await expect.poll(() => driver.data.assistants[0]?.temperature, patience).toBe(0.2);
  await driver.press('Remove Claude');
  await driver.press('Remove');
  await expect
    .poll(() => driver.data.assistants.map(({ name }) => name), patience)
    .toEqual(['Local']);
});

test('needs approval for an assistant that came with the vault, and lets its secret be set', async () => {
  const key = `\${secret:theirs}`;
  const theirs = { name: 'Theirs', provider: 'openai', model: 'gpt', key };
  await using driver = await SettingsDriver.open({ version: 1, assistants: [theirs] });
  await driver.press('Agree to Theirs');
  await driver.sees(/sends what you ask, .* to openai, model "gpt"/);
  await driver.press('Agree');
  await expect.poll(() => driver.button('Agree to Theirs').count(), patience).toBe(0);
  await driver.press('Set theirs');
  await driver.type('Value', value);
  await driver.press('Keep it');
  await driver.button('Replace theirs').waitFor();
  expect(driver.text).not.toContain(value);
});
