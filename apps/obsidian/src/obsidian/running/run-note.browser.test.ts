import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

const block = (tool: string, more = '') => `\`\`\`scripted\ntool: ${tool}\n${more}\`\`\`\n`;
const echo = (text: string) => block('echo', `text: ${text}\n`);
const wait = (gate: string) => block('wait', `file: ${gate}\n`);
const soon = { timeout: 20_000 };
const results = (text: string) => text.match(/^```mcp-result/gm)?.length ?? 0;

test('runs a note: asks once, shows how far it is, says how it ended, and undoes one answer at a time', async () => {
  await using vault = await ScriptedVault.open(
    (gate) => `${echo('one')}\n${wait(gate)}\n${block('fail')}\n${echo('two')}`,
  );
  const { obsidian } = vault;
  const before = obsidian.file('note.md');
  await vault.show('source');
  await vault.command('Run note');
  await vault.press('Agree and run');
  expect(await vault.notice('Running note.md: 1 of 4')).toContain('Cancel');
  const sticky = obsidian.page.locator('.notice', { hasText: 'Running note.md' });
  expect(await sticky.getAttribute('data-duration')).toBe('0');
  // The card shows the same run, and a second wish joins it.
  await vault.hasState('running');
  await obsidian.page.getByText('Waiting for its turn').first().waitFor();
  await vault.command('Run new and changed blocks');
  vault.openGate();
  const end = await vault.notice('note.md: 3 done, 1 failed');
  expect(end).toMatch(/Line \d+, scripted · fail: .*It did not work\./);
  await expect.poll(() => sticky.count(), soon).toBe(0);
  expect(vault.journal.filter(({ tool }) => tool === 'wait')).toHaveLength(1);
  expect(results(await obsidian.text())).toBe(3);
  for (const left of [3, 2, 1, 0]) {
    await obsidian.harness.evaluate((each) => each.pane(0).editor.undo());
    const text = await obsidian.text();
    expect(results(text) + (text.includes('```mcp-error') ? 1 : 0)).toBe(left);
  }
  expect(await obsidian.text()).toBe(before);
});

test('gives a block the answer of another, with a filter', async () => {
  const next = block('echo', 'text: "{{ blocks.first | upcase | append: \'!\' }}"\n');
  await using vault = await ScriptedVault.open(`${echo('one')}^first\n\n${next}`);
  await vault.show('source');
  await vault.command('Run note');
  await vault.press('Agree and run');
  await vault.notice('note.md: 2 done');
  expect(await vault.obsidian.text()).toContain('\nONE!\n');
  await vault.hasState('fresh', 2);
});

test('leaves alone what is done and could act twice, unless all is to run again', async () => {
  await using vault = await ScriptedVault.open(`${echo('one')}\n${block('write')}`);
  const written = () => vault.journal.filter(({ tool }) => tool === 'write').length;
  await vault.show('source');
  await vault.command('Run note');
  await vault.press('Agree and run');
  await vault.notice('note.md: 2 done');
  await vault.command('Run note');
  expect(await vault.notice('note.md: 1 done, 1 already done')).toContain('Errand: Run note again');
  expect(written()).toBe(1);
  await vault.command('Run note again');
  await expect.poll(written, soon).toBe(2);
});

test('calls nothing for an answer that was edited by hand, leaves it as it is, and runs the others', async () => {
  await using vault = await ScriptedVault.open(`${echo('one')}\n${echo('two')}`);
  await vault.show('source');
  await vault.command('Run note');
  await vault.press('Agree and run');
  await vault.notice('note.md: 2 done');
  await vault.type(', as I see it', '\n```\n\n```scripted');
  const edited = await vault.obsidian.text();
  expect(edited).toContain('\none, as I see it\n```\n');
  await vault.command('Run note');
  const end = await vault.notice('note.md: 1 done, 1 ');
  expect(end).toMatch(/Line 1, scripted · echo: .*edited/);
  expect(await vault.obsidian.text()).toBe(edited);
  expect(vault.journal.filter(({ kind }) => kind === 'call')).toHaveLength(3);
});

test('cancels a run from its notice and notifies the server', async () => {
  await using vault = await ScriptedVault.open(`${echo('one')}\n${block('hang')}`);
  await vault.show('preview');
  await vault.command('Run note');
  await vault.press('Agree and run');
  await vault.notice('Running note.md: 1 of 2');
  await vault.called('hang');
  await vault.obsidian.page.locator('.notice button', { hasText: 'Cancel' }).click();
  await vault.heard('cancelled');
  await vault.notice('note.md: 1 done, 1 cancelled');
  expect(results(vault.obsidian.file('note.md'))).toBe(1);
});

test('runs the block at the cursor, or the one whose result it is in', async () => {
  await using vault = await ScriptedVault.open(`Above.\n\n${echo('one')}\n${echo('two')}`);
  const { obsidian } = vault;
  await vault.show('source');
  await vault.putCursor(1);
  await vault.command('Run block');
  expect(await vault.notice('There is no block at the cursor.')).toContain('Put the cursor');
  await vault.putCursor(9);
  await vault.command('Run block');
  await vault.press('Agree and run');
  await expect.poll(() => obsidian.text(), soon).toMatch(/\ntwo\n```\n$/);
  await vault.isIdle();
  expect(results(await obsidian.text())).toBe(1);
  const line = (await obsidian.text()).split('\n').length - 2;
  await vault.putCursor(line);
  await vault.command('Run block');
  await expect.poll(() => vault.journal.filter(({ kind }) => kind === 'call').length, soon).toBe(2);
  // Nothing else was stale but the first.
  await vault.command('Run new and changed blocks');
  await vault.notice('note.md: 1 done');
  expect(results(await obsidian.text())).toBe(2);
});

test('stops everything, refuses until resumed, and says so once', async () => {
  await using vault = await ScriptedVault.open(`${echo('one')}\n${block('hang')}`);
  const { obsidian } = vault;
  const notices = () => obsidian.harness.evaluate((each) => each.notices);
  const names = () => obsidian.harness.evaluate((each) => each.commands.names());
  await vault.show('source');
  expect(await names()).not.toContain('Errand: Resume executions');
  await vault.command('Run note');
  await vault.press('Agree and run');
  await vault.called('hang');
  await vault.notice('Running note.md: 1 of 2');
  await vault.command('Stop executions');
  await vault.heard('cancelled');
  expect(await vault.notice('Execution stopped by user')).toContain('Errand: Resume executions');
  await vault.notice('note.md: 1 done, 1 ');
  await vault.putCursor(1);
  await vault.command('Run block');
  await expect
    .poll(
      async () => (await notices()).filter((each) => each.startsWith('Execution stopped')),
      soon,
    )
    .toHaveLength(2);
  expect(await obsidian.page.locator('.notice', { hasText: 'Execution stopped' }).count()).toBe(1);
  expect(vault.journal.filter(({ kind }) => kind === 'call')).toHaveLength(2);
  await vault.command('Resume executions');
  await vault.notice('Executions resumed.');
  await vault.isIdle();
  await vault.command('Run block');
  await expect.poll(() => vault.journal.filter(({ kind }) => kind === 'call').length, soon).toBe(3);
});

test('warns at 80 % of the session, refuses at its limit, and lets a whole note run', async () => {
  const note = `${echo('one')}\n${echo('two')}\n${echo('three')}`;
  await using vault = await ScriptedVault.open(note, { settings: { mcpSessionLimit: 2 } });
  const { obsidian } = vault;
  await vault.show('source');
  const status = obsidian.page.locator('.errand-status');
  expect(await status.isVisible()).toBe(false);
  await vault.command('Run note');
  await vault.press('Agree and run');
  await vault.notice('note.md: 3 done');
  const notices = () => obsidian.harness.evaluate((each) => each.notices);
  expect((await notices()).join('\n')).toContain('3 of 3 calls of note.md are used');
  expect(await status.textContent()).toBe('3/3 calls');
  await vault.putCursor(1);
  await vault.command('Run block');
  expect(await vault.notice('Session execution limit reached (2)')).toContain(
    'Errand: Reset session limits',
  );
  await vault.command('Reset session limits');
  await vault.command('Run block');
  await expect.poll(() => status.textContent(), soon).toBe('1/2 calls');
  await vault.isIdle();
  await vault.command('Run block');
  await vault.notice('2 of 2 calls of note.md are used');
  expect(await status.locator('.errand-status-warning').textContent()).toBe('2/2 calls');
  await vault.putCursor((await obsidian.text()).split('\n').length);
  await vault.hasState('fresh', 3);
  // A session is a note since it was opened.
  await obsidian.harness.evaluate((each) => each.close(0));
  await vault.show('source');
  await expect.poll(() => status.isVisible(), soon).toBe(false);
});

test.each([
  ['Tool not found: nothing', block('nothing'), 'Correct the tool in the block.'],
  [
    'Execution timeout after 1000 ms',
    block('hang').replace('scripted', 'scripted timeout=1s'),
    'allow more time',
  ],
])('says at once what keeps a call from being made: %s', async (message, note, next) => {
  await using vault = await ScriptedVault.open(note);
  await vault.show('source');
  await vault.putCursor(1);
  await vault.command('Run block');
  await vault.press('Agree and run');
  expect(await vault.notice(message)).toContain(next);
});
