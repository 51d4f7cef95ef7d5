import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

const echo = '# Today\n\n```scripted\ntool: echo\ntext: hello\n```\n\nBelow.\n';
const hang = '```scripted\ntool: hang\n```\n\nBelow.\n';
const late = hang.replace('scripted', 'scripted timeout=1s');
const wait = (gate: string) =>
  `Above.\n\n\`\`\`scripted\ntool: wait\nfile: ${gate}\n\`\`\`\n\nBelow.\n`;

test.each(['source', 'preview'] as const)('shows a card and runs nothing (%s)', async (mode) => {
  await using vault = await ScriptedVault.open(echo);
  await vault.show(mode);
  await vault.hasState('new');
  const card = vault.obsidian.page.locator('.errand-card:visible');
  // A label on the card itself would be a tooltip of everything in it.
  expect(await card.getAttribute('aria-label')).toBeNull();
  const { page } = vault.obsidian;
  await page.getByRole('group', { name: 'Tool block: scripted echo' }).waitFor();
  expect(await card.textContent()).toContain('scriptedechoNever run');
  expect(vault.journal).toEqual([]);
});

test('writes the result below the block as one undo step', async () => {
  await using vault = await ScriptedVault.open(echo);
  const { obsidian } = vault;
  await vault.show('source');
  await vault.agreeAndRun();
  await vault.hasState('fresh');
  const after = await obsidian.text();
  expect(after).toMatch(/```\n\n```mcp-result req=\w+ sum=\w+ type=text\nhello\n```\n\nBelow\.\n$/);
  await obsidian.harness.evaluate((each) => each.pane(0).editor.undo());
  expect(await obsidian.text()).toBe(echo);
  await vault.hasState('new');
  await obsidian.harness.evaluate((each) => each.pane(0).editor.redo());
  expect(await obsidian.text()).toBe(after);
});

test('changes nothing when the same request answers the same', async () => {
  await using vault = await ScriptedVault.open(wait);
  await vault.show('source');
  vault.openGate();
  await vault.agreeAndRun();
  await vault.hasState('fresh');
  const after = await vault.obsidian.text();
  vault.closeGate();
  // Its second click neither cancels the run nor begins another.
  await vault.obsidian.page.getByRole('button', { name: 'Run again', exact: true }).dblclick();
  await vault.hasState('running');
  vault.openGate();
  await vault.hasState('fresh');
  expect(await vault.obsidian.text()).toBe(after);
  expect(vault.journal.filter(({ kind }) => kind === 'call')).toHaveLength(2);
  expect(vault.journal.filter(({ kind }) => kind === 'cancelled')).toEqual([]);
});

test('notifies the server of a cancellation and writes nothing', async () => {
  await using vault = await ScriptedVault.open(hang);
  await vault.show('source');
  await vault.agreeAndRun();
  await vault.heard('call');
  await vault.press('Cancel');
  await vault.heard('cancelled');
  await vault.hasState('new');
  expect(await vault.obsidian.text()).toBe(hang);
});

test('starts nothing without approval', async () => {
  await using vault = await ScriptedVault.open(echo);
  await vault.show('source');
  await vault.press('Run');
  await vault.press('Cancel');
  await vault.hasState('new');
  expect(vault.journal).toEqual([]);
});

test('leaves no process and no listener when it is unloaded', async () => {
  await using vault = await ScriptedVault.open(hang);
  await vault.show('source');
  await vault.agreeAndRun();
  const { pid } = await vault.heard('call');
  expect(isRunning(pid)).toBe(true);
  await vault.obsidian.harness.evaluate((each) => each.unload());
  await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
  expect(await vault.obsidian.harness.evaluate((each) => each.listeners())).toBe(0);
  expect(await vault.obsidian.page.locator('.errand-card').count()).toBe(0);
  expect(await vault.obsidian.page.getByText('tool: hang').count()).toBe(1);
});

test('keeps Obsidian from quitting until its processes have ended', async () => {
  await using vault = await ScriptedVault.open(hang);
  await vault.show('source');
  await vault.agreeAndRun();
  const { pid } = await vault.heard('call');
  await vault.obsidian.harness.evaluate((each) => each.quit());
  expect(isRunning(pid)).toBe(false);
});

test('finishes, writes and begins runs while the window is minimised', async () => {
  await using vault = await ScriptedVault.open((gate) => `${wait(gate)}\n${echo}\n${late}`);
  const { harness, text } = vault.obsidian;
  await vault.show('source');
  await vault.hasState('new', 3);
  await vault.obsidian.page.getByRole('button', { name: 'Run', exact: true }).first().click();
  await vault.press('Agree and run');
  await vault.heard('call');
  await harness.evaluate((each) => each.hide());
  vault.openGate();
  const soon = { timeout: 20_000 };
  const states = () =>
    harness.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.errand-card')].map(
        ({ dataset }) => dataset.state,
      ),
    );
  await expect.poll(() => text(), soon).toContain('\nit is there\n');
  await expect.poll(states, soon).toEqual(['fresh', 'new', 'new']);
  await vault.command('Run new and changed blocks');
  await expect.poll(() => text(), soon).toContain('\nhello\n');
  // A limit of time is kept as well.
  await expect.poll(() => text(), soon).toContain('Execution timeout after 1000 ms');
  await expect.poll(states, soon).toEqual(['fresh', 'fresh', 'failed']);
  await vault.notice('note.md: 1 done, 1 timed out');
});

test('does not undo what was typed just before', async () => {
  await using vault = await ScriptedVault.open(echo);
  const { harness } = vault.obsidian;
  await vault.show('source');
  await vault.press('Run');
  await vault.press('Agree and run');
  await vault.hasState('fresh');
  const type = () =>
    harness.evaluate((each) => {
      const { editor } = each.pane(0);
      const from = editor.offsetToPos(editor.getValue().indexOf('hello\n```\n\nBelow') + 5);
      editor.transaction({ changes: [{ from, text: '!' }] }, 'input.type');
    });
  await type();
  await vault.hasState('edited');
  const typed = await vault.obsidian.text();
  await vault.press('Replace the edited result');
  await vault.hasState('fresh');
  await harness.evaluate((each) => each.pane(0).editor.undo());
  expect(await vault.obsidian.text()).toBe(typed);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
