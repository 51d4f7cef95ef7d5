import { expect, test } from 'vitest';
import { openEditor } from '../testing/open-editor.ts';

test('activates when a Markdown file is opened, and not before', async () => {
  await using editor = await openEditor(() => ({ 'note.md': '# A note\n', 'a.txt': 'text\n' }));
  const isActive = () =>
    editor.inHost((vscode) => vscode.extensions.getExtension('errand.errand')?.isActive);
  expect(await isActive()).toBe(false);
  await editor.inHost(
    async (vscode, path) => void (await vscode.window.showTextDocument(vscode.Uri.file(path))),
    `${editor.folder}/note.md`,
  );
  await expect.poll(isActive).toBe(true);
}, 240_000);
