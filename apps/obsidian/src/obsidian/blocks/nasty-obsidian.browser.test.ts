import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

const echo = '```scripted\ntool: echo\ntext: hello\n```\n';
const wait = (gate: string) => `Above.\n\n\`\`\`scripted\ntool: wait\nfile: ${gate}\n\`\`\`\n`;

test('runs a unique block when Obsidian does not know its position', async () => {
  await using vault = await ScriptedVault.open(echo);
  await forgetPositions(vault);
  await vault.show('preview');
  await vault.agreeAndRun();
  await vault.hasState('fresh');
  expect(vault.obsidian.file('note.md')).toContain('\nhello\n');
});

test('does not guess between equal blocks', async () => {
  await using vault = await ScriptedVault.open(`${echo}\n${echo}`);
  await forgetPositions(vault);
  await vault.show('preview');
  const button = vault.obsidian.page.getByRole('button', { name: 'Run', exact: true }).first();
  await button.waitFor();
  expect(await button.isDisabled()).toBe(true);
  const message = vault.obsidian.page.locator('.errand-card-message').first();
  expect(await message.textContent()).toContain('Open the note itself to run it.');
});

test('loads when another plugin shows blocks of the same language', async () => {
  const note = `${echo}\n${echo.replace('scripted', 'mcp')}`;
  await using vault = await ScriptedVault.open(note, { taken: ['scripted'] });
  await vault.show('source');
  const cards = vault.obsidian.page.locator('.errand-card');
  await cards.waitFor();
  expect(await vault.obsidian.page.locator('.notice').textContent()).toContain('"scripted"');
});

test('shows a running block, and runs it once, when every card is redrawn at each change', async () => {
  await using vault = await ScriptedVault.open(wait);
  const { harness, page, text } = vault.obsidian;
  await harness.evaluate((each) => {
    each.blocks.redrawsBlocks = true;
    each.blocks.knowsPositions = false;
    each.delayEvents(2_000);
  });
  await vault.show('source');
  await vault.agreeAndRun();
  await vault.heard('call');
  await vault.type('Typed. ', 'Above.');
  await vault.hasState('running');
  await harness.evaluate((each) => each.pane(0).save());
  vault.openGate();
  await vault.hasState('fresh');
  expect((await text()).match(/it is there/g)).toHaveLength(1);
  expect(vault.journal.filter(({ kind }) => kind === 'call')).toHaveLength(1);
  expect(await page.locator('.errand-card').count()).toBe(1);
});

test('says what happened to its server, and what to do', async () => {
  await using vault = await ScriptedVault.open(echo);
  const { page, file, harness } = vault.obsidian;
  const data = file('.obsidian/plugins/errand/data.json');
  const change = (text: string) => harness.evaluate((each, now) => each.writeData(now), text);
  const message = page.locator('.errand-card-message');
  const button = page.getByRole('button', { name: 'Run', exact: true });
  await vault.show('source');
  await vault.hasState('new');
  await change(data.replace('"enabled":true', '"enabled":false'));
  await message.getByText('Server scripted is disabled. Enable it in the side view').waitFor();
  expect(await button.isDisabled()).toBe(true);
  await change(data);
  await message.waitFor({ state: 'hidden' });
  await change(data.replace('"name":"scripted"', '"name":"renamed"'));
  await message.getByText('no longer in the settings of Errand. Add it there').waitFor();
  await change(data);
  await message.waitFor({ state: 'hidden' });
  await change('{ "version": 1 }');
  await message.getByText('no longer in the settings').waitFor();
  await change(data);
  await vault.agreeAndRun();
  await vault.hasState('fresh');
});

test('a call finishes on the settings that it began with, and the next one uses the new ones', async () => {
  await using vault = await ScriptedVault.open(wait);
  const { file, harness } = vault.obsidian;
  const data = JSON.parse(file('.obsidian/plugins/errand/data.json'));
  await vault.show('source');
  await vault.agreeAndRun();
  const first = await vault.called('wait');
  data.mcpServers[0].localConfig.env = { CHANGED: 'yes' };
  await harness.evaluate((each, text) => each.writeData(text), JSON.stringify(data));
  await vault.notice('Server "scripted" was changed since');
  vault.openGate();
  await vault.hasState('fresh');
  expect(vault.journal.filter(({ kind }) => kind === 'cancelled')).toEqual([]);
  await vault.press('Run again');
  await vault.press('Agree and run');
  const pids = () => vault.journal.filter(({ tool }) => tool === 'wait').map(({ pid }) => pid);
  await expect.poll(() => pids().length, { timeout: 20_000 }).toBe(2);
  expect(pids()[1]).not.toBe(first.pid);
});

test('says what is wrong with broken settings and starts when they are fixed', async () => {
  const broken = '{ "version": 1,';
  await using vault = await ScriptedVault.open('```mcp\ntool: echo\n```\n', { data: broken });
  const { page, harness, file } = vault.obsidian;
  expect(await page.locator('.notice').textContent()).toContain('data.json');
  expect(file('.obsidian/plugins/errand/data.json')).toBe(broken);
  await harness.evaluate((each) => each.writeData('{ "version": 1 }'));
  await vault.show('source');
  await page.locator('.errand-card').waitFor();
});

async function forgetPositions({ obsidian }: ScriptedVault): Promise<void> {
  await obsidian.harness.evaluate((each) => {
    each.blocks.knowsPositions = false;
  });
}
