import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

const wait = (gate: string) =>
  `Above.\n\n\`\`\`scripted\ntool: wait\nfile: ${gate}\n\`\`\`\n\nBelow.\n\n# Later\n\nHidden.\n`;

test('keeps the cursor, folds and typed text, and is exactly one undo step', async () => {
  await using vault = await ScriptedVault.open(wait);
  const { obsidian } = vault;
  await vault.show('source');
  await obsidian.harness.evaluate((each) => {
    const pane = each.pane(0);
    const text = pane.getViewData();
    pane.select(text.indexOf('Below'), text.indexOf('Below') + 'Below'.length);
    pane.fold(text.indexOf('# Later') + '# Later'.length, text.length - 1);
  });
  await vault.agreeAndRun();
  await vault.heard('call');
  await vault.type('Typed above. ', 'Above.');
  await vault.type('Typed below. ', '# Later');
  await vault.type('Right before. ', 'Below.');
  const before = await obsidian.text();
  vault.openGate();
  await vault.hasState('fresh');
  const after = await obsidian.text();
  expect(after).toMatch(/```\n\n```mcp-result [^\n]*\nit is there\n```\n\nRight before\. Below\./);
  const kept = await obsidian.harness.evaluate((each) => {
    const pane = each.pane(0);
    return { selected: pane.selected(), folded: pane.folded() };
  });
  expect(kept).toEqual({ selected: 'Below', folded: ['\n\nHidden.'] });
  await vault.type('Right after. ', '\n\nRight before.');
  await vault.undo();
  expect(await obsidian.text()).toBe(after);
  await vault.undo();
  expect(await obsidian.text()).toBe(before);
  await vault.redo();
  expect(await obsidian.text()).toBe(after);
});

test('does not write a result below a request that was changed meanwhile, and says where it is', async () => {
  await using vault = await ScriptedVault.open(wait);
  await vault.show('source');
  await vault.agreeAndRun();
  await vault.heard('call');
  await vault.type('other: 1\n', 'file:');
  const before = await vault.obsidian.text();
  await vault.hasState('new');
  vault.openGate();
  await vault.notice('The note was changed meanwhile');
  await vault.notice('The result is kept in .errand/log');
  expect(await vault.obsidian.text()).toBe(before);
});
