import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';
import { WritingPerson } from '../../testing/writing-person.ts';

const greet = {
  name: 'greet',
  description: 'Says hello.',
  inputSchema: {
    type: 'object',
    properties: { style: { enum: ['short', 'long'] }, name: { type: 'string' } },
    required: ['style'],
  },
};
const note = `---
mcp:
  sections:
    - heading: Bound
      server: db
---
> [!todo] Plans
> - Say hello

# Bound

Text.
`;
const patience = { timeout: 20_000 };
const servers = (journal: string) => [
  scriptedServerConfig({ journal, tools: [greet] }, { name: 'people' }),
  scriptedServerConfig({ journal }, { name: 'db' }),
  scriptedServerConfig({ journal }, { name: 'off', enabled: false }),
];

test('finds a tool among all and writes its block where the cursor is, in one step of undo', async () => {
  await using vault = await ScriptedVault.open(note, { servers });
  await vault.show('source');
  const { obsidian } = vault;
  const person = new WritingPerson(vault);
  const rows = obsidian.page.locator('.prompt .suggestion-item');

  await person.goTo('Say hello');
  await person.runCommand('Insert tool call');
  await expect
    .poll(() => rows.allTextContents(), patience)
    .toEqual(['Start the server to see its toolspeople', 'Start the server to see its toolsdb']);
  expect(vault.journal).toEqual([]);
  await person.press('Enter');
  await vault.press('Agree and start');
  await obsidian.page.locator('.prompt-input').fill('greet says hello');
  await expect.poll(() => rows.allTextContents(), patience).toEqual(['greetpeopleSays hello.']);
  await person.press('Enter');
  const block =
    '>   ```people\n>   tool: greet\n>   style: short # one of: short, long\n>   # name:  # text\n>   ```\n';
  const after = note.replace('> - Say hello\n', `> - Say hello\n${block}`);
  await expect.poll(() => obsidian.text(), patience).toBe(after);
  // The first value is selected: what is typed replaces it.
  await person.type('l');
  expect(await obsidian.text()).toBe(after.replace('style: short', 'style: l'));
  await person.press('Escape');
  await person.undo();
  expect(await obsidian.text()).toBe(after);
  await person.undo();
  expect(await obsidian.text()).toBe(note);

  // What was started already is listed at once; what was agreed to is started for the list.
  await person.runCommand('Insert tool call');
  await obsidian.page.locator('.prompt-input').fill('people greet says hello');
  expect(await rows.allTextContents()).toEqual(['greetpeopleSays hello.']);
  await person.press('Escape');

  await person.goTo('Text.');
  await person.runCommand('Insert tool call');
  await expect
    .poll(() => rows.allTextContents(), patience)
    .toEqual(['Start the server to see its toolsdb']);
  await person.press('Escape');
  expect(vault.journal.filter(({ kind }) => kind === 'started')).toHaveLength(1);
  expect(vault.journal.filter(({ kind }) => kind === 'call')).toEqual([]);
});

test('says why no tool can be called where the cursor is', async () => {
  const broken = note.replace('server: db', 'server: off');
  await using vault = await ScriptedVault.open(`${broken}\n\`\`\`js\n1\n`, { servers });
  await vault.show('source');
  const person = new WritingPerson(vault);
  const notice = vault.obsidian.page.locator('.notice');
  await person.goTo('Text.');
  await person.runCommand('Insert tool call');
  expect(await notice.textContent()).toBe(
    'This section is bound to off, which is disabled.\nEnable it in the settings of Errand.',
  );
});
