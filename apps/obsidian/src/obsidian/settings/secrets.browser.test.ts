import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { patience, SettingsHands } from '../../testing/settings-hands.ts';

const value = 'hush-4711';

test('a secret in the clear is kept by Obsidian, and the data file has only its name', async () => {
  const server = scriptedServerConfig();
  await using hands = await SettingsHands.open({ version: 1, mcpServers: [server] });
  const { harness } = hands.vault.obsidian;
  await hands.openPage('scripted');
  await hands.press('Edit');
  await hands.type('Environment', `API_TOKEN=${value}`);
  await hands.press('Keep API_TOKEN as a secret');
  const reference = `API_TOKEN=\${secret:scripted-api-token}`;
  await expect.poll(() => hands.field('Environment').inputValue(), patience).toBe(reference);
  await harness.evaluate((each) => each.secrets.setSecret('other-key', 'other-value'));
  expect(await harness.evaluate((each) => each.secrets.getSecret('scripted-api-token'))).toBe(
    value,
  );
  await hands.press('Save and test');
  await expect
    .poll(() => hands.data.mcpServers[0]?.localConfig?.env, patience)
    .toEqual({ API_TOKEN: `\${secret:scripted-api-token}` });
  expect(hands.text).not.toContain(value);
});

test('assistants are added with a key that Obsidian keeps, changed, chosen and removed', async () => {
  await using hands = await SettingsHands.open({ version: 1 });
  const { harness, page } = hands.vault.obsidian;
  await hands.sees('No assistant yet.');
  await hands.press('Add an assistant');
  await hands.type('Name', 'User');
  expect(await hands.mistake('Name').textContent()).toContain('Write a name of letters');
  await hands.type('Name', 'Claude');
  await hands.type('Model', 'claude-sonnet-4-5');
  expect(await hands.button('Save').isDisabled()).toBe(true);
  await hands.type('New key', value);
  await hands.press('Keep as a secret');
  await expect.poll(() => page.locator('.secret-select').inputValue(), patience).toBe('claude');
  await hands.press('Save');
  await hands.row('Claude').waitFor();
  expect(hands.data.assistants).toEqual([
    {
      name: 'Claude',
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      key: `\${secret:claude}`,
    },
  ]);
  expect(hands.text).not.toContain(value);
  expect(await harness.evaluate((each) => each.secrets.getSecret('claude'))).toBe(value);
  await expect.poll(() => hands.button('Agree to Claude').count(), patience).toBe(0);
  await hands.row('claude').waitFor();

  await hands.press('Add an assistant');
  await hands.type('New key', 'typed-only');
  // Another plugin keeps one of this name meanwhile.
  await harness.evaluate((each) => each.secrets.setSecret('local', 'not ours'));
  await hands.choose('Provider', 'openai-compatible');
  await hands.type('Name', 'Local');
  await hands.type('Model', 'qwen3');
  await hands.type('Base URL', 'http://127.0.0.1:11434/v1');
  await hands.press('Save');
  await expect.poll(() => hands.data.assistants[1]?.key, patience).toBe(`\${secret:local-2}`);
  const secrets = ['local', 'local-2'];
  expect(
    await harness.evaluate(
      (each, names) => names.map((name) => each.secrets.getSecret(name)),
      secrets,
    ),
  ).toEqual(['not ours', 'typed-only']);
  expect(hands.text).not.toContain('typed-only');
  await hands.vault.obsidian.page.getByRole('dialog').waitFor({ state: 'detached' });
  await hands.press('Make Local the default');
  await expect
    .poll(() => hands.data.assistants.map(({ name }) => name), patience)
    .toEqual(['Local', 'Claude']);
  await hands.press('Edit Local');
  await hands.type('Temperature', '0.2');
  await hands.press('Save');
  await expect.poll(() => hands.data.assistants[0]?.temperature, patience).toBe(0.2);
  await hands.press('Remove Claude');
  await hands.press('Remove');
  await expect
    .poll(() => hands.data.assistants.map(({ name }) => name), patience)
    .toEqual(['Local']);
});

test('an assistant that came with the vault waits for a yes, and its secret can be set', async () => {
  const key = `\${secret:theirs}`;
  const theirs = { name: 'Theirs', provider: 'openai', model: 'gpt', key };
  await using hands = await SettingsHands.open({ version: 1, assistants: [theirs] });
  await hands.press('Agree to Theirs');
  await hands.sees(/What you ask, and \$\{secret:theirs\}, is sent to openai/);
  await hands.press('Agree');
  await expect.poll(() => hands.button('Agree to Theirs').count(), patience).toBe(0);
  await hands.press('Set theirs');
  await hands.type('Value', value);
  await hands.press('Keep it');
  await hands.button('Replace theirs').waitFor();
  expect(hands.text).not.toContain(value);
});
