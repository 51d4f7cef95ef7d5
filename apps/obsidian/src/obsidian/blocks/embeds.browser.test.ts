import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

const block = (text: string) => `\`\`\`scripted\ntool: echo\ntext: ${text}\n\`\`\`\n`;
const trip = `# Now\n\n${block('first')}\n# Later\n\n${block('second')}\nBelow.\n`;
const host = 'Host.\n\n![[trip]]\n\n![[trip#Later]]\n\nEnd.\n';

test.each([
  ['source', true],
  ['preview', true],
  ['preview', false],
] as const)('runs in an embed of a closed note (%s, place known: %s)', async (mode, isKnown) => {
  await using vault = await ScriptedVault.open(host, { notes: { 'trip.md': trip } });
  const { page, harness, file } = vault.obsidian;
  await harness.evaluate((each, known) => {
    each.blocks.knowsPositions = known;
  }, isKnown);
  await vault.show(mode);
  await vault.hasState('new', 3);
  const run = (text: string) =>
    page.locator('.errand-card', { hasText: text }).getByRole('button', { name: 'Run' }).last();
  await run('second').click();
  await vault.press('Agree and run');
  await vault.hasState('fresh', 2);
  expect(file('trip.md')).toMatch(/\nsecond\n```\n\nBelow\.\n$/);
  await run('first').click();
  await vault.hasState('fresh', 3);
  expect(file('trip.md')).toMatch(/\nfirst\n```\n\n# Later\n/);
  expect(await vault.obsidian.text()).toBe(host);
  expect(file('note.md')).toBe(host);
});

test('writes to the file of a note whose pane was not shown yet', async () => {
  await using vault = await ScriptedVault.open(host, { notes: { 'trip.md': trip } });
  const { page, harness } = vault.obsidian;
  await harness.evaluate((each) => each.openLater());
  await vault.show('preview');
  const cards = page.locator('.errand-card', { hasText: 'first' });
  await cards.getByRole('button').click();
  await vault.press('Agree and run');
  await vault.hasState('fresh');
  await harness.evaluate((each) => each.reveal(0, 'trip.md', 'source'));
  expect(await vault.obsidian.text(0)).toMatch(/\nfirst\n```\n\n# Later\n/);
});
