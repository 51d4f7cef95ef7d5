import { expect, test } from 'vitest';
import { openEditor } from '../../testing/open-editor.ts';

test('the walkthrough leads from an example to its answer and to hooks', async () => {
  await using editor = await openEditor(() => ({ 'readme.md': '# Read me\n' }));
  const { page, inHost } = editor;
  const show = () =>
    inHost(async (vscode) => {
      await vscode.commands.executeCommand(
        'workbench.action.openWalkthrough',
        'errand.errand#start',
      );
    });
  await show();
  await page.getByText('Get Started with Errand').first().waitFor();
  await page.getByRole('button', { name: 'Open the Example' }).click();
  await page.locator('.tab', { hasText: 'Errand example.md' }).waitFor();
  expect(JSON.parse(editor.file('.errand/settings.json'))).toMatchObject({ mcpServers: [] });
  await page.locator('.codelens-decoration', { hasText: 'Never run' }).waitFor();

  await show();
  const step = (title: string) => page.locator('.getting-started-step', { hasText: title }).first();
  await step('Run a block').click();
  const run = page.getByRole('button', { name: 'Run the Example' });
  await run.waitFor();
  await step('Open an example').locator('.codicon-getting-started-step-checked.complete').waitFor();
  await run.click();
  await page
    .locator('.quick-input-widget .monaco-list-row', { hasText: 'Allow for This Vault' })
    .click();
  await expect
    .poll(() => editor.file('Errand example.md'), { timeout: 30_000 })
    .toMatch(/```mcp-result[\s\S]*readme\.md/);

  await show();
  await step('Make a hook').click();
  await page.getByRole('button', { name: 'Open the View Hooks' }).click();
  await page.locator('.pane-header', { hasText: 'Hooks' }).waitFor();
}, 240_000);
