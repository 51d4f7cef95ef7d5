import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

const echo = '```scripted\ntool: echo\ntext: hello\n```\n\nBelow.\n';
const wait = (gate: string) =>
  `Above.\n\n\`\`\`scripted\ntool: wait\nfile: ${gate}\n\`\`\`\n\nBelow.\n`;
const answered = /```scripted\n[^`]*```\n\n```mcp-result [^\n]*\nit is there\n```\n\nBelow\.\n$/;

async function running(path = 'note.md'): Promise<ScriptedVault> {
  const vault = await ScriptedVault.open(wait, { notes: { 'trip/.keep': '' } });
  if (path !== 'note.md') {
    await vault.obsidian.harness.evaluate((each, to) => each.renameFile('note.md', to), path);
  }
  await vault.show('source', path);
  await vault.agreeAndRun();
  await vault.heard('call');
  return vault;
}

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

test('keeps a run on its card while the note and then its folder are renamed', async () => {
  await using vault = await running('trip/plan.md');
  const { obsidian } = vault;
  await obsidian.harness.evaluate(async (each) => {
    await each.renameFile('trip/plan.md', 'trip/tour.md');
    await each.renameFolder('trip', 'done');
  });
  await vault.hasState('running');
  vault.openGate();
  await vault.hasState('fresh');
  expect(await obsidian.text()).toMatch(answered);
  // The card was made under the first name and works under the last.
  vault.closeGate();
  await vault.press('Run again');
  const calls = () => vault.journal.filter(({ kind }) => kind === 'call').length;
  await expect.poll(calls, { timeout: 20_000 }).toBe(2);
  await vault.hasState('running');
  await obsidian.harness.evaluate((each) => each.renameFile('done/tour.md', 'done/trip.md'));
  await vault.press('Cancel');
  await vault.heard('cancelled');
  await vault.hasState('fresh');
  await obsidian.harness.evaluate((each) => each.pane(0).save());
  expect(obsidian.file('done/trip.md')).toMatch(answered);
});

test('writes into a note that was deleted and made again under its name', async () => {
  await using vault = await running();
  const text = vault.obsidian.file('note.md');
  await vault.obsidian.harness.evaluate(async (each, again) => {
    await each.deleteFile('note.md');
    await each.createFile('note.md', again);
  }, text);
  await vault.show('source');
  await vault.hasState('running');
  vault.openGate();
  await vault.hasState('fresh');
  expect(await vault.obsidian.text()).toMatch(answered);
});

test('says where the result is when the note was deleted', async () => {
  await using vault = await running();
  await vault.obsidian.harness.evaluate((each) => each.deleteFile('note.md'));
  vault.openGate();
  const notice = await vault.notice('note.md was deleted.');
  expect(notice).toContain('The result is kept in .errand');
});

test('says where the result is when what was typed cannot be saved', async () => {
  await using vault = await running();
  const { harness, home, page } = vault.obsidian;
  await vault.type('Not saved. ', 'Above.');
  await harness.evaluate((each) => each.pane(0).setMode('preview'));
  // As on a disk that was taken out.
  renameSync(join(home, 'vault/note.md'), join(home, 'away.md'));
  vault.openGate();
  const said = /note\.md cannot be written \(.*The result is kept in \.errand/;
  await page.locator('.errand-card-message:visible', { hasText: said }).waitFor();
  expect(await vault.obsidian.text()).toContain('Not saved. Above.');
});
