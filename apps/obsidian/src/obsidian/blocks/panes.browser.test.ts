import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

const wait = (gate: string) =>
  `Above.\n\n\`\`\`scripted\ntool: wait\nfile: ${gate}\n\`\`\`\n\nBelow.\n`;
const answer = /```mcp-result [^\n]*\nit is there\n```\n/g;

test('writes a result once into a note with two editors, as one undo step of the active one', async () => {
  await using vault = await ScriptedVault.open(wait);
  const { obsidian } = vault;
  await vault.show('source');
  await vault.show('source');
  await obsidian.page.getByRole('button', { name: 'Run', exact: true }).nth(1).click();
  await vault.press('Agree and run');
  await vault.hasState('running', 2);
  await vault.type('Typed in the other pane. ', 'Above.', 0);
  const before = await obsidian.text(1);
  vault.openGate();
  await vault.hasState('fresh', 2);
  const after = await obsidian.text(1);
  expect(after.match(answer)).toHaveLength(1);
  expect(after.replace(answer, '').replace('\n\n\n', '\n\n')).toBe(before);
  expect(await obsidian.text(0)).toBe(after);
  await vault.undo(1);
  expect([await obsidian.text(0), await obsidian.text(1)]).toEqual([before, before]);
  await vault.redo(1);
  expect([await obsidian.text(0), await obsidian.text(1)]).toEqual([after, after]);
});

test('runs from a pane in Reading view and writes in the editor of the other pane', async () => {
  await using vault = await ScriptedVault.open(wait);
  const { obsidian } = vault;
  await vault.show('source');
  await vault.type('Not saved. ', 'Above.');
  await vault.show('preview');
  await obsidian.page.getByRole('button', { name: 'Run', exact: true }).nth(1).click();
  await vault.press('Agree and run');
  await vault.hasState('running', 2);
  vault.openGate();
  await vault.hasState('fresh', 2);
  const text = await obsidian.text(0);
  expect(text.match(answer)).toHaveLength(1);
  expect(text).toMatch(/^Not saved\. Above\./);
  // A block that may act is saved with its answer, so that no other program calls it again.
  expect(obsidian.file('note.md')).toBe(text);
  expect(await obsidian.page.locator('.errand-result:visible').count()).toBe(2);
});

test('runs nothing when notes are opened, scrolled, switched, split and the plugin is reloaded', async () => {
  await using vault = await ScriptedVault.open(wait, { notes: { 'host.md': '![[note]]\n' } });
  const { harness, page } = vault.obsidian;
  await vault.show('source');
  await vault.show('preview');
  await vault.show('preview', 'host.md');
  await vault.hasState('new', 3);
  await page.mouse.wheel(0, 5_000);
  await page.mouse.wheel(0, -5_000);
  await harness.evaluate(async (each) => {
    each.pane(0).setMode('preview');
    each.pane(1).setMode('source');
    each.pane(1).showEditorAs('source');
    each.pane(1).showEditorAs('live-preview');
    await each.reload();
    each.pane(0).setMode('source');
    each.pane(2).setMode('source');
    each.pane(2).setMode('preview');
  });
  await vault.show('source');
  await vault.hasState('new', 2);
  expect(vault.journal).toEqual([]);
});
