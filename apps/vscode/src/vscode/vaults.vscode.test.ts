import { scriptedServerConfig } from '@errand/machine/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenEditor, openEditor } from '../testing/open-editor.ts';

let editor: OpenEditor;

beforeAll(async () => {
  editor = await openEditor(() => ({ 'note.md': '# Note\n', 'a.txt': 'text\n' }));
}, 240_000);

afterAll(() => editor[Symbol.asyncDispose]());

test('activates when a Markdown file is opened, and not before', async () => {
  const isActive = () =>
    editor.inHost((vscode) => vscode.extensions.getExtension('errand.errand')?.isActive);
  const show = (name: string) =>
    editor.inHost(
      async (vscode, path) => void (await vscode.window.showTextDocument(vscode.Uri.file(path))),
      `${editor.folder}/${name}`,
    );
  await show('a.txt');
  expect(await isActive()).toBe(false);
  await show('note.md');
  await expect.poll(isActive).toBe(true);
});

test('makes a folder a vault, says what is wrong with its settings, and opens it once they are mended', async () => {
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
}, 120_000);
