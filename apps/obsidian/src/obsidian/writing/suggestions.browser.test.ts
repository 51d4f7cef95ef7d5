import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';
import { WritingPerson } from '../../testing/writing-person.ts';

const forecast = {
  name: 'forecast',
  description: 'Tells the weather.',
  inputSchema: {
    type: 'object',
    properties: {
      days: { type: 'integer', default: 3 },
      city: { type: 'string', description: 'Where' },
      unit: { enum: ['C', 'F'] },
    },
    required: ['city', 'unit'],
  },
};
const servers = (journal: string) => [
  scriptedServerConfig({ journal, tools: [forecast] }, { name: 'weather' }),
  scriptedServerConfig({ journal }, { name: 'db' }),
];
const patience = { timeout: 20_000 };

test('suggests servers, tools, parameters and values while a block is typed', async () => {
  await using vault = await ScriptedVault.open('Text.\n', { servers });
  await vault.show('source');
  const person = new WritingPerson(vault);
  const { obsidian } = vault;
  const offers = (wanted: readonly string[]) =>
    expect.poll(() => person.suggestions(), patience).toEqual(wanted);

  await person.goTo();
  await person.type('```');
  await offers(['*Code block', 'weather', 'db', 'mcp']);
  await person.press('ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowUp');
  await offers(['Code block', 'weather', 'db', '*mcp']);
  await person.press('Escape');
  await offers([]);
  await person.type('wea');
  await offers(['*weather']);
  await person.press('Enter');
  await expect.poll(() => obsidian.text(), patience).toBe('Text.\n```weather\ntool: \n```');
  await person.undo();
  expect(await obsidian.text()).toBe('Text.\n```wea');
  await person.goTo();
  await person.type('t');
  await person.press('Enter');

  // Nobody agreed to the server, and nothing of it has run.
  await person.press('Backspace');
  await offers(['*Start the server to see its tools']);
  expect(vault.journal).toEqual([]);
  await person.press('Enter');
  await vault.press('Agree and start');
  const search = obsidian.page.locator('.prompt-input');
  await search.fill('forecast');
  // Words of descriptions are found as well.
  await expect.poll(() => person.suggestions(), patience).toContain('forecast');
  await person.press('Escape');

  await person.goTo('tool:');
  await person.type(' forec');
  await offers(['*forecast']);
  await person.press('Enter');
  const filled =
    'Text.\n```weather\ntool: forecast\ncity:  # text: Where\nunit: C # one of: C, F\n```';
  await expect.poll(() => obsidian.text(), patience).toBe(filled);
  await person.type('Oslo');
  expect(await obsidian.text()).toContain('\ncity: Oslo # text: Where\n');
  await person.goTo('unit: C');
  await person.press('Backspace');
  await offers(['*C', 'F']);
  await person.press('ArrowDown', 'Enter');
  await expect.poll(() => obsidian.text(), patience).toContain('\nunit: F # one of');
  await person.goTo('one of: C, F');
  await person.type('\nd');
  await offers(['*days']);
  await person.press('Enter');
  await expect.poll(() => obsidian.text(), patience).toContain('\ndays: 3\n```');
  expect(vault.journal.map(({ kind }) => kind)).toEqual(['started']);
});

const bound = `---
mcp:
  sections:
    - heading: Bound
      server: db
---
# Bound

> - Here:
>
`;

test('suggests only the server of the section, in a list in a quote too', async () => {
  await using vault = await ScriptedVault.open(bound, { servers });
  await vault.show('source');
  const person = new WritingPerson(vault);
  await person.goTo('> - Here:\n>');
  await person.type('   ~~~');
  await expect.poll(() => person.suggestions(), patience).toEqual(['*Code block', 'db', 'mcp']);
  await person.press('ArrowDown', 'Enter');
  await expect
    .poll(() => vault.obsidian.text(), patience)
    .toBe(`${bound.trimEnd()}   ~~~db\n>   tool: \n>   ~~~\n`);
  await person.goTo('Here:');
  await person.type('\nwords: and more');
  expect(await person.suggestions()).toEqual([]);
});
