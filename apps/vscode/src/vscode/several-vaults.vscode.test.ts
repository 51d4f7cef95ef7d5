import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JournalLine, readJournal, scriptedServerConfig } from '@errand/machine/testing';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { openEditor } from '../testing/open-editor.ts';
import { agree } from '../testing/scripted-editor.ts';

const block = (server: string) => `\`\`\`${server}\ntool: echo\ntext: hi\n\`\`\`\n`;

test('two folders of a window are two vaults, each with its servers, log and secrets, and servers of other programs', async () => {
  await using editor = await openEditor(
    async (folder, home) => {
      const files: Record<string, string> = {};
      for (const name of ['one', 'two']) {
        writeFileSync(`${folder}.${name}`, '');
        const server = scriptedServerConfig({ journal: `${folder}.${name}` }, { name });
        const vault = join(folder, name);
        mkdirSync(vault, { recursive: true });
        await agree(home, vault, [server], []);
        files[`${name}/.errand/settings.json`] = JSON.stringify({
          version: 1,
          mcpServers: [server],
        });
        files[`${name}/note.md`] = block(name);
      }
      // What another program on this machine uses.
      const { localConfig } = scriptedServerConfig();
      mkdirSync(join(home, '.cursor'), { recursive: true });
      writeFileSync(
        join(home, '.cursor/mcp.json'),
        JSON.stringify({ mcpServers: { elsewhere: localConfig } }),
      );
      return files;
    },
    { roots: ['one', 'two'] },
  );
  const { page, folder } = editor;
  const command = (id: string, ...args: readonly string[]) =>
    editor.inHost(
      async (vscode, name, given) => void (await vscode.commands.executeCommand(name, ...given)),
      id,
      args,
    );
  const calls = (name: string): readonly JournalLine[] =>
    readJournal(`${folder}.${name}`).filter(({ kind }) => kind === 'call');
  await page.locator('.activitybar [aria-label="Errand"]').first().click();
  const row = (text: string): Locator =>
    page.locator('.pane-body .monaco-list-row', { hasText: text }).first();
  for (const name of ['one', 'two']) {
    await page.locator(`.pane-body .monaco-list-row[aria-label^="${name}"]`).first().waitFor();
    await command('errand.runNote', `file://${folder}/${name}/note.md`);
    expect(editor.file(`${name}/note.md`)).toContain('\nhi\n```');
    expect(calls(name)).toHaveLength(1);
  }
  await row('one · echo').waitFor();
  await row('two · echo').waitFor();

  const list = page.locator('.quick-input-widget');
  const pick = (text: string) => list.locator('.monaco-list-row', { hasText: text }).first();
  const importing = command('errand.importServers');
  await pick('/two').click();
  await pick('elsewhere').waitFor();
  await list.getByRole('button', { name: 'OK' }).click();
  await importing;
  expect(editor.file('two/.errand/settings.json')).toContain('"elsewhere"');
  expect(editor.file('one/.errand/settings.json')).not.toContain('"elsewhere"');
  await expect.poll(() => row('elsewhere').textContent()).toMatch(/Connected|Needs approval/);

  const setting = command('errand.setSecret');
  await pick('/one').click();
  const answer = async (text: string) => {
    const input = list.locator('input').first();
    await input.fill(text);
    await input.press('Enter');
  };
  await expect.poll(() => list.textContent()).toContain('The name by which');
  await answer('token');
  await expect.poll(() => list.textContent()).toContain('secret storage of the editor');
  await answer('sk-one');
  await setting;
  const removing = command('errand.removeSecret');
  await pick('/one').click();
  await pick('token').click();
  await removing;
  const again = command('errand.removeSecret');
  await pick('/one').click();
  await again;
  await page.locator('.notification-toast', { hasText: 'No secret is kept' }).first().waitFor();
}, 240_000);
