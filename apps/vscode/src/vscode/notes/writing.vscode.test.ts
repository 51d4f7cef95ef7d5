import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ScriptedEditor } from '../../testing/scripted-editor.ts';

const note = [
  '---',
  'mcp: {sections: [{heading: Bound, server: scripted}]}',
  '---',
  '# Note',
  '',
  '```scripted',
  'tool: ecko',
  'text: hi',
  '```',
  '',
  '```scripted',
  'tool: echo',
  '```',
  '',
  '```scriptd',
  'tool: echo',
  '```',
  '',
  '## Bound',
  '',
  '```scripted',
  'tool: ',
  '```',
  '',
  '```scripted',
  'tool: pick',
  'color: ',
  '```',
  '',
].join('\n');

const pick = {
  name: 'pick',
  description: 'Picks a *color*. <img src=x onerror=alert(1)>',
  inputSchema: {
    type: 'object',
    properties: {
      color: { type: 'string', enum: ['red', 'green'], description: 'Which color.' },
      count: { type: 'integer' },
    },
    required: ['color'],
  },
};

let scripted: ScriptedEditor;

beforeAll(async () => {
  const { scriptedServerConfig } = await import('@errand/machine/testing');
  scripted = await ScriptedEditor.open({
    servers: ({ journal }) => [scriptedServerConfig({ journal, tools: [pick] })],
    notes: () => ({ 'note.md': note, 'hostile.md': hostile, 'blank.md': '# New\n\n' }),
  });
  await scripted.show();
  // The tools are known once the server is connected, which is said at the blocks.
  await vi.waitFor(async () => expect(await mistakes()).toHaveLength(5), 40_000);
}, 240_000);

afterAll(() => scripted[Symbol.asyncDispose]());

const at = (path = 'note.md') => join(scripted.editor.folder, path);
const mistakes = () =>
  scripted.editor.inHost(
    (vscode, file) =>
      vscode.languages
        .getDiagnostics(vscode.Uri.file(file))
        .filter(({ source }) => source === 'Errand')
        .map(({ range, message, code }) => `${range.start.line + 1} ${code}: ${message}`)
        .sort(),
    at(),
  );

test('shows mistakes at their lines', async () => {
  expect(await mistakes()).toEqual([
    expect.stringMatching(/^11 invalid_params: .*text/),
    expect.stringMatching(/^15 server_unknown: .*scriptd/),
    expect.stringMatching(/^21 block_invalid: /),
    expect.stringMatching(/^27 block_invalid: "color" has no value/),
    expect.stringMatching(/^7 tool_not_found: Tool not found: ecko\. Did you mean "echo"\?/),
  ]);
  const { page } = scripted.editor;
  await expect.poll(() => page.locator('.squiggly-warning, .squiggly-error').count()).toBe(5);
});

test.each([
  [7, 'Change to tool echo', '```scripted\ntool: echo\ntext: hi\n```'],
  [11, 'Add the parameter text', '```scripted\ntool: echo\ntext: '],
  [15, 'Change to server scripted', '```scripted\ntool: echo\n```\n\n## Bound'],
])('mends the mistake in line %i: %s', async (line, title, mended) => {
  const text = await scripted.editor.inHost(
    async (vscode, file, wantedLine, wantedTitle) => {
      const uri = vscode.Uri.file(file);
      const find = () =>
        vscode.commands.executeCommand<import('vscode').CodeAction[]>(
          'vscode.executeCodeActionProvider',
          uri,
          new vscode.Range(wantedLine - 1, 2, wantedLine - 1, 2),
        );
      const isWanted = ({ title }: import('vscode').CodeAction) => title === wantedTitle;
      let actions = await find();
      // The mistakes are looked for anew a moment after a change.
      for (let time = 0; time < 100 && !actions.some(isWanted); time += 1) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        actions = await find();
      }
      const action = actions.find(isWanted);
      if (action?.edit === undefined) return actions.map(({ title }) => title).join();
      await vscode.workspace.applyEdit(action.edit);
      const changed = (await vscode.workspace.openTextDocument(uri)).getText();
      await vscode.commands.executeCommand('undo');
      return changed;
    },
    at(),
    line,
    title,
  );
  expect(text).toContain(mended);
});

const completions = (line: number, column: number) =>
  scripted.editor.inHost(
    async (vscode, file, position) => {
      const { items } = await vscode.commands.executeCommand<import('vscode').CompletionList>(
        'vscode.executeCompletionItemProvider',
        vscode.Uri.file(file),
        new vscode.Position(...(position as [number, number])),
      );
      return items.map(({ label, insertText, documentation }) => ({
        label: typeof label === 'string' ? label : label.label,
        text: typeof insertText === 'object' ? insertText.value : (insertText ?? ''),
        about: typeof documentation === 'object' ? documentation.value : (documentation ?? ''),
      }));
    },
    at(),
    [line - 1, column],
  );

test('completes tools with their required parameters, parameters, and values', async () => {
  const tools = await completions(22, 6);
  expect(tools.find(({ label }) => label === 'echo')?.text).toBe('echo\ntext: $0 # text');
  expect(tools.find(({ label }) => label === 'pick')?.about).toContain('Picks a *color*');
  const values = await completions(27, 7);
  expect(values.map(({ label }) => label)).toEqual(expect.arrayContaining(['red', 'green']));
});

test('a person completes a request by typing', async () => {
  const { page } = scripted.editor;
  await scripted.show('blank.md');
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('```scri');
  await expect.poll(() => scripted.text('blank.md')).toContain('```scri');
  await page.keyboard.press('Control+Space');
  const list = page.locator('.suggest-widget.visible .monaco-list-row');
  await list.filter({ hasText: 'scripted' }).first().click();
  await expect.poll(() => scripted.text('blank.md')).toMatch(/```scripted\ntool: \n```/);
  await scripted.show();
});

const hover = (line: number, column: number) =>
  scripted.editor.inHost(
    async (vscode, file, position) => {
      const found = await vscode.commands.executeCommand<import('vscode').Hover[]>(
        'vscode.executeHoverProvider',
        vscode.Uri.file(file),
        new vscode.Position(...(position as [number, number])),
      );
      return found
        .flatMap(({ contents }) => contents)
        .map((each) => (typeof each === 'object' ? each.value : each))
        .join('\n');
    },
    at(),
    [line - 1, column],
  );

test('shows what a tool does and what a parameter takes; what a server says of it is text', async () => {
  const tool = await hover(26, 8);
  expect(tool).toContain('color:&nbsp;one&nbsp;of:&nbsp;red,&nbsp;green,&nbsp;required');
  expect(tool).not.toContain('<img src');
  expect(tool).toContain('Picks&nbsp;a&nbsp;\\*color\\*');
  expect(await hover(27, 2)).toMatch(/"enum": \[[\s\S]*"green"/);
  expect(await hover(21, 6)).toMatch(/Connected,&nbsp;\d+&nbsp;tools/);
  expect(await hover(4, 3)).toBe('');
});

test('shows the server of a bound heading behind it, and binds another section', async () => {
  const hints = () =>
    scripted.editor.inHost(async (vscode, file) => {
      const uri = vscode.Uri.file(file);
      const document = await vscode.workspace.openTextDocument(uri);
      const all = new vscode.Range(0, 0, document.lineCount, 0);
      const found = await vscode.commands.executeCommand<import('vscode').InlayHint[]>(
        'vscode.executeInlayHintProvider',
        uri,
        all,
      );
      return found.map(({ position, label }) => `${position.line + 1} ${label as string}`);
    }, at());
  expect(await hints()).toEqual(["19 scripted · from this note's properties"]);
  const { page } = scripted.editor;
  await scripted.editor.inHost((vscode) => {
    const editor = vscode.window.activeTextEditor;
    if (editor !== undefined) editor.selection = new vscode.Selection(3, 0, 3, 0);
  });
  const binding = scripted.command('errand.bindSection');
  const choices = page.locator('.quick-input-widget .monaco-list-row', { hasText: 'only # Note' });
  await choices.filter({ hasText: 'scripted' }).first().click();
  await binding;
  await expect
    .poll(hints)
    .toEqual([
      "4 scripted · from this note's properties",
      expect.stringMatching(/scripted · from this note's properties$/),
    ]);
  await scripted.command('undo');
});

test('puts a call of a chosen tool at the cursor', async () => {
  const { page } = scripted.editor;
  await scripted.show('blank.md');
  await scripted.editor.inHost((vscode) => {
    const editor = vscode.window.activeTextEditor;
    if (editor !== undefined) editor.selection = new vscode.Selection(0, 5, 0, 5);
  });
  const inserting = scripted.command('errand.insertToolCall');
  await page.locator('.quick-input-widget .monaco-list-row').first().waitFor();
  await page.keyboard.type('pick');
  await page.locator('.quick-input-widget .monaco-list-row', { hasText: 'pick' }).first().click();
  await inserting;
  await expect
    .poll(() => scripted.text('blank.md'))
    .toMatch(/```scripted\ntool: pick\ncolor: [^\n]*\n# count: [^\n]*\n```/);
});

const hostile = [
  '```mcp-result req=0000000000 sum=0000000000 type=text',
  '<script>window.stolen = 1</script><img src=x onerror="window.stolen = 1">',
  '```',
  '',
  '```mcp-result req=0000000001 sum=0000000001 type=json',
  '{"<b>name</b>": ["one", {"two": 2}]}',
  '```',
  '',
  '```mcp-error req=0000000002 sum=0000000002 code=tool_failed',
  'It did not work.',
  '```',
  '',
].join('\n');

test('the preview shows results as results, and what is in them as text', async () => {
  const { page } = scripted.editor;
  await scripted.show('hostile.md');
  await scripted.command('markdown.showPreview');
  const frames = () => page.frames().map((frame) => frame.locator('.errand-result'));
  await expect
    .poll(async () => {
      const counts = await Promise.all(frames().map((each) => each.count().catch(() => 0)));
      return Math.max(0, ...counts);
    })
    .toBe(3);
  for (const frame of page.frames()) {
    const results = frame.locator('.errand-result');
    if ((await results.count().catch(() => 0)) === 0) continue;
    expect(await results.nth(0).locator('img, script').count()).toBe(0);
    expect(await results.nth(0).textContent()).toContain('<script>window.stolen');
    expect(await results.nth(1).locator('details').count()).toBe(3);
    expect(await results.nth(1).locator('.errand-name').first().textContent()).toBe('<b>name</b>');
    expect(await results.nth(2).textContent()).toContain('tool_failed');
  }
});
