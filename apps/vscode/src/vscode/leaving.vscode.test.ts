import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtExtension } from '../testing/built-extension.ts';
import { ownerOf } from '../testing/errand-command.ts';
import { ScriptedEditor } from '../testing/scripted-editor.ts';

const note = '```scripted\ntool: echo\ntext: hi\n```\n';
const many = Array.from(
  { length: 500 },
  (_, index) => `\`\`\`scripted\ntool: echo\ntext: "${index}"\n\`\`\`\n`,
).join('\n');

let scripted: ScriptedEditor;

beforeAll(async () => {
  scripted = await ScriptedEditor.open({
    notes: ({ gate }) => ({
      'note.md': note,
      'many.md': many,
      'wait.md': `\`\`\`scripted\ntool: wait\nfile: ${gate}\n\`\`\`\n`,
    }),
  });
}, 240_000);

afterAll(() => scripted[Symbol.asyncDispose]());

test('is small, and is active once it is asked for', async () => {
  const bundle = readFileSync(join(await builtExtension(), 'errand/main.js'));
  expect(bundle.length).toBeLessThan(1_500_000);
  const exports = await scripted.editor.inHost(async (vscode) => {
    const active = await vscode.extensions.getExtension('errand.errand')?.activate();
    return Object.keys(active as object);
  });
  expect(exports).toEqual(['extendMarkdownIt']);
});

test('shows a note with 500 blocks, and scrolls it', async () => {
  const { page } = scripted.editor;
  await scripted.show('many.md');
  await page.locator('.codelens-decoration').first().waitFor();
  const count = await scripted.editor.inHost(
    async (vscode, file) =>
      (
        await vscode.commands.executeCommand<unknown[]>(
          'vscode.executeCodeLensProvider',
          vscode.Uri.file(file),
        )
      ).length,
    join(scripted.editor.folder, 'many.md'),
  );
  expect(count).toBe(1_000);
  await scripted.command('cursorBottom');
  const last = page.locator('.codelens-decoration', { hasText: 'Never run' }).last();
  await last.waitFor();
  await page.locator('.view-line', { hasText: '"499"' }).waitFor();
});

test('a reload keeps servers, history and answers, and leaves no process behind', async () => {
  await scripted.command('errand.runNote', `file://${scripted.editor.folder}/note.md`);
  const first = scripted.journal.find(({ kind }) => kind === 'started');
  await scripted.editor.reload();
  await scripted.showViews();
  const { page } = scripted.editor;
  const rows = page.locator('.pane-body .monaco-list-row');
  await rows.filter({ hasText: 'scripted · echo' }).filter({ hasText: 'Worked' }).first().waitFor();
  const server = rows.filter({ hasText: 'scripted' }).first();
  await expect.poll(() => server.textContent()).toMatch(/Connected/);
  await scripted.show();
  const lenses = page.locator('.codelens-decoration').first();
  await expect.poll(() => lenses.textContent()).toMatch(/Run again.*Up to date/);
  await expect.poll(() => isAlive(first?.pid ?? 0)).toBe(false);
}, 120_000);

test('leaving ends what runs and every process, and gives the vault back', async () => {
  const { page, hostPid, folder } = scripted.editor;
  scripted.closeGate();
  const running = scripted.command('errand.runNote', `file://${folder}/wait.md`);
  running.catch(() => {});
  await scripted.called('wait');
  const pids = scripted.journal.filter(({ kind }) => kind === 'started').map(({ pid }) => pid);
  expect(pids.some(isAlive)).toBe(true);
  await page.goto('about:blank');
  await expect.poll(() => pids.filter(isAlive), { timeout: 40_000 }).toEqual([]);
  await expect.poll(() => isAlive(hostPid), { timeout: 40_000 }).toBe(false);
  expect(scripted.editor.file('wait.md')).not.toContain('mcp-result');
  expect(await ownerOf(scripted.editor)).toBeUndefined();
}, 120_000);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
