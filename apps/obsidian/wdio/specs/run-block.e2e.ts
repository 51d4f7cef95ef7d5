import { fileURLToPath } from 'node:url';
import { $, browser, expect } from '@wdio/globals';
import { obsidianPage } from 'wdio-obsidian-service';

// The first story of the harness, in the app itself: a card, a run, the note, undo.
const program = fileURLToPath(
  new URL('../../../../packages/machine/src/testing/scripted-server.ts', import.meta.url),
);
const settings = {
  version: 1,
  mcpServers: [
    {
      name: 'scripted',
      transport: 'stdio',
      deploymentType: 'local',
      localConfig: { command: process.execPath, args: [program, '{}'] },
      enabled: true,
    },
  ],
};
const note = 'Hello.md';
const card = (state: string) => $(`.errand-card[data-state="${state}"]`);
const button = (name: string) => $(`button=${name}`);

describe('a block in a note', () => {
  before(async () => {
    await browser.executeObsidian(
      ({ app }, text) =>
        app.vault.adapter.write(`${app.vault.configDir}/plugins/errand/data.json`, text),
      JSON.stringify(settings),
    );
    await obsidianPage.enablePlugin('errand');
  });

  beforeEach(async () => {
    await obsidianPage.resetVault();
    await obsidianPage.openFile(note);
    await card('new').waitForExist();
  });

  it('runs nothing by being shown', async () => {
    const before = await obsidianPage.read(note);
    await browser.executeObsidianCommand('markdown:toggle-preview');
    await card('new').waitForExist();
    await browser.executeObsidianCommand('markdown:toggle-preview');
    await card('new').waitForExist();
    expect(await obsidianPage.read(note)).toBe(before);
  });

  it('is run after a yes, and its answer is written below it', async () => {
    await button('Run').click();
    await button('Agree and run').click();
    await card('fresh').waitForExist();
    await browser.waitUntil(async () => (await obsidianPage.read(note)).includes('mcp-result'));
    const text = await obsidianPage.read(note);
    expect(text.indexOf('mcp-result')).toBeLessThan(text.indexOf('Below.'));
  });

  it('is as it was after one step of undo', async () => {
    const before = await obsidianPage.read(note);
    await button('Run').click();
    await card('fresh').waitForExist();
    await browser.executeObsidian(({ app }) => app.workspace.activeEditor?.editor?.undo());
    await card('new').waitForExist();
    await browser.waitUntil(async () => (await obsidianPage.read(note)) === before);
  });
});
