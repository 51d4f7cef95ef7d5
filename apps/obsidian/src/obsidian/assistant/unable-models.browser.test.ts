import { expect, test } from 'vitest';
import { AskVault, type AskVaultOptions } from '../../testing/ask-vault.ts';

const question = '#User : q\n';

async function asking(options: AskVaultOptions): Promise<AskVault> {
  const vault = await AskVault.of(question, options);
  await vault.edit('#User : q');
  await vault.ask();
  return vault;
}

test('says what to do when a provider refuses, and leaves the question open', async () => {
  const elsewhere = { location: 'http://127.0.0.1:1/' };
  await using vault = await asking({
    script: [
      { status: 401, message: 'bad sk-very-secret' },
      { status: 404, message: 'no such model' },
      { status: 429, message: 'slow down', headers: { 'retry-after': '3600' } },
      { status: 307, message: 'moved', headers: elsewhere },
      { text: ['At last.'] },
    ],
  });
  const notices = await vault.notice('does not accept the key');
  expect(notices).toContain('Set the secret "key" in the settings of Errand, under Secrets.');
  expect(notices).not.toContain('sk-very-secret');
  const next = async (words: string) => {
    await vault.answered();
    expect(await vault.obsidian.text()).toBe(question);
    await vault.ask();
    return vault.notice(words);
  };
  expect(await next('has no model "scripted"')).toContain('settings');
  expect(await next('is not accepting more requests now')).toContain('Wait 3600 s.');
  expect(await next('sends us to http://127.0.0.1:1/')).toContain('Nothing was sent there.');
  await vault.answered();
  await vault.ask();
  await vault.shows('At last.');
});

test('says what to do when the provider cannot be reached, and when the answer is cut off', async () => {
  await using vault = await asking({ script: [{ text: ['Half'], cut: 'lost' }] });
  expect(await vault.notice('was lost in the middle of the answer')).toContain('Ask again');
  await vault.answered();
  expect(await vault.obsidian.text()).toBe(
    '#User : q\n\n#Claude : Half\n\n*(The answer was cut off here.)*\n',
  );
  expect(await vault.undone()).toBe(question);
  await vault.model[Symbol.asyncDispose]();
  await vault.ask();
  expect(await vault.notice('cannot be reached')).toContain('Check the network');
});

test('asks before anything is sent to a provider that came with the vault', async () => {
  await using vault = await asking({ isTrusted: false, script: [{ text: ['Yes.'] }] });
  const dialog = vault.obsidian.page.getByRole('dialog');
  await dialog.waitFor();
  const shown = await dialog.textContent();
  for (const words of ['Use assistant "Claude"?', vault.model.url, `\${secret:key}`]) {
    expect(shown).toContain(words);
  }
  await vault.press('Cancel');
  await dialog.waitFor({ state: 'detached' });
  expect(vault.model.requests).toEqual([]);
  await vault.ask();
  await vault.press('Agree and ask');
  await vault.shows('Yes.');
  await vault.answered();
  expect(vault.obsidian.file('.obsidian/plugins/errand/data.json')).not.toContain('sk-very-secret');
});

test('names a secret that is not set, and says how to make an assistant', async () => {
  await using vault = await asking({
    assistants: (model) => [model.assistant('openai', { key: `\${secret:other}` })],
  });
  expect(await vault.notice('needs the secret "other"')).toContain('in the settings of Errand');
  await vault.obsidian.harness.evaluate((each) => each.writeData('{ "version": 1 }'));
  // The settings are read a moment later.
  const notices = async () => {
    await vault.ask();
    return (await vault.obsidian.page.locator('.notice').allTextContents()).join('\n');
  };
  await expect.poll(notices, { timeout: 20_000 }).toContain('No language model is set up.');
  expect(vault.model.requests).toEqual([]);
});

test("lets the person choose among several, in every provider's format", async () => {
  await using vault = await AskVault.of(question, {
    script: [{ text: ['One.'] }, { text: ['Two.'] }, { text: ['Three.'] }],
    assistants: (model) => [
      model.assistant('openai', { name: 'Open' }),
      model.assistant('google', { name: 'Gem' }),
      model.assistant('openai-compatible', { name: 'Local' }),
    ],
  });
  await vault.edit('#User : q');
  await vault.ask();
  await vault.shows('#Open : One.');
  for (const [name, words] of [
    ['Gem', 'Two.'],
    ['Local', 'Three.'],
  ] as const) {
    await vault.answered();
    await vault.undone();
    await vault.command('Ask another assistant here');
    await vault.press(`Ask ${name}`);
    await vault.shows(`#${name} : ${words}`);
  }
  await vault.answered();
});
