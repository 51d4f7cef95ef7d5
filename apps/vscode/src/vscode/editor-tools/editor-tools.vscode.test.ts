import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ScriptedEditor } from '../../testing/scripted-editor.ts';

const block = (info: string, tool: string) => `\`\`\`${info}\ntool: ${tool}\ntext: hi\n\`\`\`\n`;

let scripted: ScriptedEditor;

beforeAll(async () => {
  scripted = await ScriptedEditor.open({
    notes: () => ({
      'no.md': block('editor', 'bridge_echo'),
      'ends.md': block('editor timeout=2s', 'bridge_echo'),
      'yes.md': block('editor', 'bridge_echo'),
      'again.md': block('editor', 'bridge_echo'),
      'taken.md': block('editor', 'bridge_echo'),
      'echo.md': block('editor', 'bridge_echo'),
      'late.md': block('editor timeout=2s', 'bridge_wait'),
      'cancel.md': block('editor', 'bridge_wait'),
      'ask.md': block('editor timeout=3s', 'bridge_ask'),
      'refuse.md': block('editor', 'bridge_ask'),
      'types.md': [
        block('editor', 'bridge_picture'),
        '```editor as=markdown\ntool: bridge_echo\ntext: "**bold** and <b>not</b>"\n```\n',
      ].join('\n'),
      'loop.md': block('editor', 'mcp_errand_scripted__echo'),
    }),
  });
  await scripted.editor.inHost((vscode) => {
    const heard: string[] = [];
    const counted = { calls: 0 };
    Object.assign(globalThis, { heard, counted });
    const text = (value: string) =>
      new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(value)]);
    vscode.lm.registerTool<{ text: string }>('bridge_echo', {
      invoke({ input }) {
        counted.calls++;
        return text(`the editor says ${input.text}`);
      },
    });
    vscode.lm.registerTool('bridge_ask', {
      prepareInvocation: () => ({
        confirmationMessages: { title: 'Do the dangerous thing', message: 'Really?' },
      }),
      invoke() {
        heard.push('ask ran');
        return text('done');
      },
    });
    vscode.lm.registerTool('bridge_picture', {
      invoke() {
        const png =
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
        // Newer than the types that the extension is compiled against.
        const { LanguageModelDataPart } = vscode as unknown as {
          LanguageModelDataPart: { image(data: Uint8Array, type: string): unknown };
        };
        const part = LanguageModelDataPart.image(Buffer.from(png, 'base64'), 'image/png');
        return new vscode.LanguageModelToolResult([part as never]);
      },
    });
    vscode.lm.registerTool('bridge_wait', {
      invoke: (_, token) =>
        new Promise((_resolve, reject) => {
          heard.push('wait began');
          token.onCancellationRequested(() => {
            heard.push('wait cancelled');
            reject(new vscode.CancellationError());
          });
        }),
    });
  });
  await scripted.show('echo.md');
}, 240_000);

afterAll(() => scripted[Symbol.asyncDispose]());

const run = (path: string) =>
  scripted.command('errand.runNote', `file://${scripted.editor.folder}/${path}`);
const heard = () =>
  scripted.editor.inHost(() => (globalThis as unknown as { heard: string[] }).heard);
const dialog = () => scripted.editor.page.locator('.monaco-dialog-box');
const invoke = (tool: string, input: object) =>
  scripted.editor.inHost(
    async (vscode, name, given) => {
      const { content } = await vscode.lm.invokeTool(name, {
        input: given,
        toolInvocationToken: undefined,
      });
      return content.map((part) => (part as { value: string }).value).join('\n');
    },
    tool,
    input,
  );
/** The tools of the vault that the agents of the editor see. */
const offered = () =>
  scripted.editor.inHost((vscode) =>
    vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('mcp_errand')),
  );

test('no note uses a tool of the editor before a person allows it for the vault, once', async () => {
  const { page, folder } = scripted.editor;
  const question = page.locator('.quick-input-widget');
  const counted = () =>
    scripted.editor.inHost(
      () => (globalThis as unknown as { counted: { calls: number } }).counted.calls,
    );
  const asked = () =>
    expect.poll(() => question.textContent()).toContain('use the tools of the editor?');
  const choose = (label: string) =>
    question.locator('.monaco-list-row', { hasText: label }).first().click();

  let refused = Promise.resolve();
  let isRunning = false;
  await vi.waitFor(async () => {
    // A run before the editor has lent its tools ends without a question.
    if (!isRunning) {
      isRunning = true;
      refused = run('no.md').finally(() => {
        isRunning = false;
      });
    }
    expect(await question.isVisible()).toBe(true);
  }, 30_000);
  await asked();
  expect(await question.textContent()).toContain(folder);
  expect(await question.locator('input').first().getAttribute('placeholder')).toContain(
    'bridge_echo',
  );
  await choose('Do Not Allow');
  await refused;
  expect(scripted.editor.file('no.md')).toContain('choose “Allow for This Vault”');
  expect(await counted()).toBe(0);

  await run('ends.md');
  expect(scripted.editor.file('ends.md')).toMatch(/mcp-error.*code=timeout/);
  await question.waitFor({ state: 'hidden' });
  expect(await counted()).toBe(0);

  const allowed = run('yes.md');
  await asked();
  await choose('Allow for This Vault');
  await allowed;
  expect(scripted.editor.file('yes.md')).toContain('\nthe editor says hi\n');
  await run('again.md');
  expect(scripted.editor.file('again.md')).toContain('\nthe editor says hi\n');

  await scripted.command('errand.server.disallowEditorTools');
  const taken = run('taken.md');
  await asked();
  await choose('Allow for This Vault');
  await taken;
  expect(await counted()).toBe(3);
});

test('a block calls a tool of another extension, which the vault knows as a tool of its server "editor"', async () => {
  await vi.waitFor(async () => {
    await run('echo.md');
    expect(scripted.editor.file('echo.md')).toContain('\nthe editor says hi\n```');
  }, 30_000);
  await scripted.showViews();
  const row = scripted.editor.page.locator('.pane-body .monaco-list-row', { hasText: 'editor' });
  await expect.poll(() => row.first().textContent()).toMatch(/Connected, \d+ tools/);
});

test('a tool of the editor is cancelled at its deadline, and when a person cancels it', async () => {
  await run('late.md');
  expect(scripted.editor.file('late.md')).toMatch(/mcp-error.*code=timeout/);
  await expect.poll(heard).toEqual(['wait began', 'wait cancelled']);

  const running = run('cancel.md');
  await expect.poll(heard).toHaveLength(3);
  await scripted.command('errand.cancelBlock', `file://${scripted.editor.folder}/cancel.md`);
  await running;
  await expect.poll(heard).toHaveLength(4);
  expect(scripted.editor.file('cancel.md')).not.toContain('mcp-result');
});

test('a tool that opens a dialog does not outlive its deadline, and a late yes runs nothing', async () => {
  const running = run('ask.md');
  // On a busy machine the deadline may come before the dialog.
  await Promise.race([dialog().waitFor(), running]);
  await running;
  expect(scripted.editor.file('ask.md')).toMatch(/mcp-error.*code=timeout/);
  if (await dialog().isVisible()) {
    expect(await dialog().textContent()).toContain('Do the dangerous thing');
    await dialog().getByRole('button', { name: 'Yes' }).click();
    await dialog().waitFor({ state: 'hidden' });
  }
  // What is asked after it is answered after it.
  await invoke('bridge_echo', { text: 'x' });
  expect(await heard()).not.toContain('ask ran');
});

test('what a person refuses in the dialog of the editor is not run, and said in the note', async () => {
  const running = run('refuse.md');
  await expect.poll(() => dialog().textContent()).toContain('Do the dangerous thing');
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await running;
  expect(scripted.editor.file('refuse.md')).toContain(
    'was not allowed in the dialog of the editor',
  );
  expect(await heard()).not.toContain('ask ran');
});

test('agents of the editor call the servers of the vault, under its limits and in its log', async () => {
  await scripted.command('workbench.mcp.startServer', '*', { waitForLiveTools: true });
  await expect.poll(offered).toContain('mcp_errand_scripted__echo');
  expect(await invoke('mcp_errand_scripted__echo', { text: 'from an agent' })).toBe(
    'from an agent',
  );
  const logs = () =>
    globSync('.errand/log/*.jsonl', { cwd: scripted.editor.folder })
      .map((name) => readFileSync(join(scripted.editor.folder, name), 'utf8'))
      .join('');
  await expect.poll(logs).toMatch(/"source":"gateway"/);

  await scripted.command('errand.stop');
  await expect(invoke('mcp_errand_scripted__echo', { text: 'late' })).resolves.toMatch(/stopped/i);
  await scripted.command('errand.resume');
  const calls = scripted.journal.filter(({ tool }) => tool === 'echo');
  expect(calls).toHaveLength(1);
});

test('tools of the editor are not offered to it, nor those of the vault to itself', async () => {
  expect((await offered()).filter((name) => name.includes('bridge'))).toEqual([]);
  await run('loop.md');
  expect(scripted.editor.file('loop.md')).not.toContain('\nhi\n');
  expect(scripted.journal.filter(({ tool }) => tool === 'echo')).toHaveLength(1);
});

test('a picture and Markdown are shown as such in the note and in the preview', async () => {
  const { page } = scripted.editor;
  await run('types.md');
  const text = scripted.editor.file('types.md');
  expect(text).toMatch(/mcp-result[^\n]*type=image\n\S+\.png\n```/);
  expect(text).toContain('the editor says **bold**');
  await scripted.show('types.md');
  await scripted.command('markdown.showPreview');
  const shown = async () => {
    for (const frame of page.frames()) {
      const picture = frame.locator('.errand-result img').first();
      if ((await picture.count().catch(() => 0)) === 0) continue;
      const width = await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth);
      return { width, bold: await frame.locator('strong', { hasText: 'bold' }).count() };
    }
    return undefined;
  };
  await expect.poll(shown).toEqual({ width: 1, bold: 1 });
});
