import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { openEditor } from '../testing/open-editor.ts';

test('makes a folder a vault, says what is wrong with its settings, and opens it once they are mended', async () => {
  await using editor = await openEditor(() => ({ 'note.md': '# Note\n' }));
  const { page } = editor;
  await page.locator('.activitybar [aria-label="Errand"]').first().click();
  await page.getByRole('button', { name: 'Set Up This Folder' }).click();
  await page.locator('.notification-toast', { hasText: 'is a vault now' }).first().waitFor();
  const settings = editor.file('.errand/settings.json');
  expect(JSON.parse(settings)).toMatchObject({ mcpServers: [] });

  editor.write('.errand/settings.json', '{ "mcpServers": [');
  await editor.reload();
  await page.locator('.notification-toast', { hasText: 'settings.json' }).first().waitFor();
  const mcpServers = [scriptedServerConfig()];
  editor.write('.errand/settings.json', JSON.stringify({ version: 1, mcpServers }));
  await page
    .locator('.pane-body .monaco-list-row', { hasText: 'Needs approval' })
    .first()
    .waitFor();
}, 240_000);
