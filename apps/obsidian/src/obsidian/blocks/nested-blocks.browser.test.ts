import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

const block = (text: string, prefix: string) =>
  ['```scripted', 'tool: echo', `text: ${text}`, '```']
    .map((line) => `${prefix}${line}\n`)
    .join('');
const answer = (text: string, prefix: string) =>
  new RegExp(
    `\\n${prefix}\`\`\`\\n${prefix.trimEnd()}\\n${prefix}\`\`\`mcp-result [^\\n]*\\n${prefix}${text}\\n${prefix}\`\`\`\\n`,
  );

const places = [
  ['callout', '> '],
  ['list', '  '],
  ['quote', '> '],
  ['nested', '>   '],
] as const;
const note = [
  `> [!note] Title\n${block('callout', '> ')}`,
  `- item\n\n${block('list', '  ')}`,
  `> Quoted.\n>\n${block('quote', '> ')}`,
  `> - item\n>\n${block('nested', '>   ')}`,
  'Below.\n',
].join('\n');

test('runs blocks in callouts, lists and quotes in Reading view, each answer in its place', async () => {
  await using vault = await ScriptedVault.open(note);
  const { page, file } = vault.obsidian;
  await vault.show('preview');
  await vault.hasState('new', places.length);
  const cardOf = (text: string) => page.locator('.errand-card', { hasText: text });
  await cardOf('callout').getByRole('button').click();
  await vault.press('Agree and run');
  await vault.hasState('fresh');
  for (const [index, [name]] of places.entries()) {
    if (index === 0) continue;
    await cardOf(name).getByRole('button').click();
    await vault.hasState('fresh', index + 1);
  }
  for (const [name, prefix] of places) expect(file('note.md')).toMatch(answer(name, prefix));
  expect(file('note.md')).toMatch(/\nBelow\.\n$/);
});

test('runs a block in a callout in Live Preview, in one step of undo', async () => {
  await using vault = await ScriptedVault.open(note);
  const { text } = vault.obsidian;
  await vault.show('source');
  await vault.hasState('new');
  expect(await vault.obsidian.page.locator('.errand-card').count()).toBe(1);
  await vault.agreeAndRun();
  await vault.hasState('fresh');
  expect(await text()).toMatch(answer('callout', '> '));
  await vault.undo();
  expect(await text()).toBe(note);
});
