import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

const echo = '```scripted\ntool: echo\ntext: hello\n```\n\nBelow.\n';
const wait = (gate: string) =>
  `Above.\n\n\`\`\`scripted\ntool: wait\nfile: ${gate}\n\`\`\`\n\nBelow.\n`;
const answered = /```scripted\n[^`]*```\n\n```mcp-result [^\n]*\nit is there\n```\n\nBelow\.\n$/;

async function running(): Promise<ScriptedVault> {
  const vault = await ScriptedVault.open(wait);
  await vault.show('source');
  await vault.agreeAndRun();
  await vault.heard('call');
  return vault;
}

test('finds its place again when text is typed above while it runs', async () => {
  await using vault = await running();
  const { obsidian } = vault;
  await obsidian.harness.evaluate((each) =>
    each.pane(0).editor.transaction({ changes: [{ from: { line: 0, ch: 0 }, text: 'Typed.\n' }] }),
  );
  vault.openGate();
  await vault.hasState('fresh');
  expect(await obsidian.text()).toMatch(/^Typed\.\nAbove\.\n\n/);
  expect(await obsidian.text()).toMatch(answered);
});

test('writes to the file when the note is open for reading', async () => {
  await using vault = await ScriptedVault.open(echo);
  await vault.show('preview');
  await vault.agreeAndRun();
  await vault.hasState('fresh');
  expect(vault.obsidian.file('note.md')).toContain('\nhello\n```\n\nBelow.\n');
  const result = vault.obsidian.page.locator('.errand-result:visible');
  expect(await result.textContent()).toBe('hello');
});

test('writes to the file when the note was closed while it ran', async () => {
  await using vault = await running();
  await vault.obsidian.harness.evaluate((each) => each.close(0));
  vault.openGate();
  await expect.poll(() => vault.obsidian.file('note.md'), { timeout: 20_000 }).toMatch(answered);
});

test('writes into the note under its new name', async () => {
  await using vault = await running();
  await vault.obsidian.harness.evaluate((each) => each.renameFile('note.md', 'renamed.md'));
  vault.openGate();
  await expect.poll(() => vault.obsidian.text(), { timeout: 20_000 }).toMatch(answered);
});

test('says where the result is when the note was deleted', async () => {
  await using vault = await running();
  await vault.obsidian.harness.evaluate(async (each) => {
    each.close(0);
    await each.deleteFile('note.md');
  });
  vault.openGate();
  const notice = vault.obsidian.page.locator('.notice');
  await notice.waitFor();
  expect(await notice.textContent()).toMatch(
    /note\.md was deleted\. The result is kept in \.errand/,
  );
});
