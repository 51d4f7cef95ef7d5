import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

/** Longer than anything takes here, also on a busy machine. */
const patience = { timeout: 20_000 };

const note = (gate: string) =>
  `Above.\n\n\`\`\`scripted\ntool: wait\nfile: ${gate}\n\`\`\`\n\nWords.\n\n\`\`\`scripted\ntool: echo\ntext: hello\n\`\`\`\n\nBelow.\n`;

test('in the source a mark beside the fence shows the state, runs and cancels', async () => {
  await using vault = await ScriptedVault.open(note);
  const { page, harness } = vault.obsidian;
  await vault.show('source');
  await expect.poll(() => page.locator('.errand-card').count(), patience).toBe(2);
  const marks = page.locator('.errand-mark');
  expect(await marks.count()).toBe(0);
  await harness.evaluate((each) => each.pane(0).showEditorAs('source'));
  await expect.poll(() => marks.count(), patience).toBe(2);
  expect(await page.locator('.errand-card').count()).toBe(0);
  expect(
    await page
      .locator('.cm-line', { has: page.locator('.errand-mark') })
      .first()
      .textContent(),
  ).toBe('```scriptedNever run');
  expect(vault.journal).toEqual([]);

  await page.getByRole('button', { name: 'Run: scripted wait' }).click();
  await vault.press('Agree and run');
  await vault.heard('call');
  await page.getByRole('button', { name: 'Cancel: scripted wait' }).click();
  await vault.heard('cancelled');
  await page.getByRole('button', { name: 'Run: scripted wait' }).waitFor();
  vault.openGate();
  await page.getByRole('button', { name: 'Run: scripted wait' }).click();
  await page.getByRole('button', { name: 'Run again: scripted wait' }).waitFor();
  await page.locator('.errand-mark[data-state="fresh"]').waitFor();
  expect(await vault.obsidian.text()).toContain('```mcp-result');

  // The mark was made under the first name and works under the last.
  await harness.evaluate((each) => each.renameFile('note.md', 'other.md'));
  await page.getByRole('button', { name: 'Run: scripted echo' }).click();
  await expect
    .poll(() => page.locator('.errand-mark[data-state="fresh"]').count(), patience)
    .toBe(2);
  expect(await harness.evaluate((each) => each.notices.join())).not.toContain('There is no note');

  await harness.evaluate((each) => each.unload());
  await expect.poll(() => page.locator('[class*=errand]').count(), patience).toBe(0);
});

test('in Live Preview the block with the cursor has a mark in place of its card', async () => {
  await using vault = await ScriptedVault.open(note);
  const { page, harness } = vault.obsidian;
  await vault.show('source');
  await expect.poll(() => page.locator('.errand-card').count(), patience).toBe(2);
  const cursorTo = (word: string) =>
    harness.evaluate((each, wanted) => {
      const { editor } = each.pane(0);
      editor.setCursor(editor.offsetToPos(editor.getValue().indexOf(wanted)));
    }, word);
  await cursorTo('text: hello');
  await page.getByRole('button', { name: 'Run: scripted echo' }).waitFor();
  expect(await page.locator('.errand-card').count()).toBe(1);
  await page.getByRole('button', { name: 'Run: scripted echo' }).click();
  await vault.press('Agree and run');
  await page.locator('.errand-mark[data-state="fresh"]').waitFor();
  await cursorTo('Words.');
  await vault.hasState('fresh');
  expect(await page.locator('.errand-mark').count()).toBe(0);
});

test('the mark of a block whose server is disabled cannot be pressed', async () => {
  await using vault = await ScriptedVault.open('```scripted\ntool: echo\ntext: hello\n```\n', {
    changeServer: (server) => ({ ...server, enabled: false }),
  });
  const { page, harness, file } = vault.obsidian;
  await vault.show('source');
  await harness.evaluate((each) => each.pane(0).showEditorAs('source'));
  const button = page.getByRole('button', { name: 'Run: scripted echo' });
  await button.waitFor();
  expect(await button.isDisabled()).toBe(true);
  const data = file('.obsidian/plugins/errand/data.json');
  const enabled = data.replace('"enabled":false', '"enabled":true');
  await harness.evaluate((each, text) => each.writeData(text), enabled);
  await expect.poll(() => button.isDisabled(), patience).toBe(false);
});

test('takes the editor of a table cell for a piece of the note', async () => {
  await using vault = await ScriptedVault.open(note);
  const { page, harness, complaints } = vault.obsidian;
  await vault.show('source');
  await harness.evaluate((each) => each.pane(0).showEditorAs('source'));
  const marks = page.locator('.errand-mark');
  await expect.poll(() => marks.count(), patience).toBe(2);
  const piece = '```scripted\ntool: echo\ntext: hello\n```\n';
  await harness.evaluate((each, text) => {
    each.pane(0).editFragment(text, 'cell');
    each.pane(0).handsOutFragment = true;
  }, piece);
  expect(await marks.count()).toBe(2);
  const commands = ['Run block', 'Insert tool call', 'Bind section to a server'];
  for (const command of [...commands, 'Ask the assistant here']) {
    await vault.command(command);
    await vault.notice('The cursor is in a table or footnote');
    await page.locator('.notice').evaluateAll((all) => {
      for (const each of all) each.remove();
    });
  }
  expect(vault.journal).toEqual([]);

  // What is written meanwhile goes to the note.
  await page.getByRole('button', { name: 'Run: scripted wait' }).click();
  await vault.press('Agree and run');
  await vault.heard('call');
  vault.openGate();
  await expect.poll(() => vault.obsidian.text(), patience).toContain('```mcp-result');
  expect(await vault.obsidian.text()).toMatch(/^Above\..*\nit is there\n.*Words\..*Below\.\n$/s);
  expect(await harness.evaluate((each) => each.pane(0).fragment.getValue())).toBe(piece);
  expect(complaints).toEqual([]);
});
