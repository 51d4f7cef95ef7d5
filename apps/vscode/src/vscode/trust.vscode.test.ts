import { scriptedServerConfig } from '@errand/machine/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EditorServer, startEditorServer } from '../testing/editor-server.ts';
import { ownerOf } from '../testing/errand-command.ts';
import { ScriptedEditor } from '../testing/scripted-editor.ts';

const note = '```scripted\ntool: echo\ntext: hi\n```\n';

const serverId = '7e0c8a4e-6b53-4f0c-9b7e-2a61f3f2d005';

let server: EditorServer;

beforeAll(async () => {
  server = await startEditorServer({ trustsFolders: false });
}, 240_000);

afterAll(() => server[Symbol.asyncDispose]());

test('runs nothing in a folder that is not trusted, and asks about its servers once it is', async () => {
  await using scripted = await ScriptedEditor.open({
    server,
    isAgreed: false,
    servers: ({ journal }) => [scriptedServerConfig({ journal }, { id: serverId })],
    notes: () => ({ 'note.md': note, 'Inbox/a.md': 'a\n' }),
    hooks: () => [
      {
        id: 'saved',
        name: 'On save',
        trigger: { kind: 'file', events: ['changed'], glob: 'Inbox/*.md' },
        actions: [
          { type: 'mcp', parameters: { serverId, toolName: 'echo', parameterMappings: [] } },
        ],
      },
    ],
  });
  const { page, inHost } = scripted.editor;
  await scripted.show();
  await scripted.showViews();
  await page.getByText('Nothing runs, and no server is started').first().waitFor();
  await page.getByText('No hook runs before this folder is trusted').first().waitFor();
  expect(await inHost((vscode) => vscode.workspace.isTrusted)).toBe(false);
  scripted.editor.write('Inbox/a.md', 'changed\n');
  await scripted.command('errand.hook.run', 'On save');
  // Nobody has opened the vault: no hook was read, and no file is watched.
  expect(await ownerOf(scripted.editor)).toBeUndefined();
  await scripted.command('errand.runNote', `file://${scripted.editor.folder}/note.md`);
  expect(await page.locator('.codelens-decoration').count()).toBe(0);
  expect(scripted.journal).toEqual([]);
  expect(scripted.editor.file('note.md')).toBe(note);

  await scripted.command('workbench.trust.manage');
  await page.getByRole('button', { name: 'Trust', exact: true }).first().click();
  await expect.poll(() => inHost((vscode) => vscode.workspace.isTrusted)).toBe(true);
  await scripted.show();
  const row = page.locator('.pane-body .monaco-list-row', { hasText: 'scripted' }).first();
  await expect.poll(() => row.textContent()).toMatch(/Needs approval/);
  const hook = page.locator('.pane-body .monaco-list-row', { hasText: 'On save' }).first();
  await expect.poll(() => hook.textContent()).toMatch(/Needs your approval/);
  scripted.editor.write('Inbox/a.md', 'changed again\n');
  expect(scripted.journal).toEqual([]);

  const running = scripted.command('errand.runNote', `file://${scripted.editor.folder}/note.md`);
  const dialog = page.locator('.monaco-dialog-box');
  await expect.poll(() => dialog.textContent()).toMatch(/Start server "scripted"\?[\s\S]*runs/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await running;
  expect(scripted.journal).toEqual([]);
  expect(scripted.editor.file('note.md')).toBe(note);

  const again = scripted.command('errand.runNote', `file://${scripted.editor.folder}/note.md`);
  await dialog.getByRole('button', { name: 'Agree and Run' }).click();
  await again;
  expect(scripted.editor.file('note.md')).toContain('\nhi\n```');
  await expect.poll(() => row.textContent()).toMatch(/Connected/);
}, 120_000);
