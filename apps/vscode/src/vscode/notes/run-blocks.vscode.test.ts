import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ScriptedEditor } from '../../testing/scripted-editor.ts';

const block = (tool: string, ...lines: readonly string[]) =>
  ['```scripted', `tool: ${tool}`, ...lines, '```', ''].join('\n');
const echo = block('echo', 'text: hi');

let scripted: ScriptedEditor;

beforeAll(async () => {
  scripted = await ScriptedEditor.open({
    settings: { mcpSessionLimit: -1 },
    notes: ({ gate }) => ({
      'lens.md': `# Note\n\n${echo}\nMore.\n`,
      'cancel.md': block('wait', `file: ${gate}`),
      'progress.md': block('progress', `file: ${gate}`),
      'twice.md': block('write'),
      'left.md': block('wait', `file: ${gate}`),
      'several.md': `${echo}\n${block('write')}\n${block('fail')}`,
      'closed.md': `Before.\n\n${echo}\nAfter.\n`,
      'unsaved.md': `${echo}\nEnd.\n`,
      'acting.md': `${block('write')}\nEnd.\n`,
      'late.md': `Before.\n\n${block('wait', `file: ${gate}`)}\nAfter.\n`,
      'crlf.md': `# Note\n\n${echo}\nMore.\n`.replaceAll('\n', '\r\n'),
      'two.md': `${echo}\nEnd.\n`,
      'edited.md': echo,
      'types.md': [
        block('structured'),
        block('fail'),
        block('large', 'bytes: 200000'),
        block('echo', 'text: "| a | b |\\n|---|---|\\n| 1 | 2 |"'),
      ].join('\n'),
      'gone.md': echo,
    }),
  });
  await scripted.show('lens.md');
}, 240_000);

afterAll(() => scripted[Symbol.asyncDispose]());

const uriOf = (path: string) => `file://${scripted.editor.folder}/${path}`;
const isDirty = (path: string) =>
  scripted.editor.inHost(
    async (vscode, file) => (await vscode.workspace.openTextDocument(file)).isDirty,
    join(scripted.editor.folder, path),
  );
/** Types at the end of a note that is open. */
const type = (path: string, text: string) =>
  scripted.editor.inHost(
    async (vscode, file, typed) => {
      const document = await vscode.workspace.openTextDocument(file);
      const editor = await vscode.window.showTextDocument(document);
      const end = document.lineAt(document.lineCount - 1).range.end;
      await editor.edit((builder) => builder.insert(end, typed));
    },
    join(scripted.editor.folder, path),
    text,
  );

test('runs a block from the lens above it, and one undo takes the answer back', async () => {
  const { page } = scripted.editor;
  const before = scripted.editor.file('lens.md');
  const lenses = page.locator('.codelens-decoration').first();
  await expect.poll(() => lenses.textContent()).toMatch(/Run.*Never run/);
  await scripted.pressLens('Run', /Run again.*Up to date · /);
  const after = scripted.editor.file('lens.md');
  expect(after).toMatch(/```\n\n```mcp-result req=\w+ sum=\w+ type=text\nhi\n```\n\nMore\.\n$/);
  expect(await scripted.text('lens.md')).toBe(after);
  await scripted.command('undo');
  expect(await scripted.text('lens.md')).toBe(before);
  await expect.poll(() => lenses.textContent()).toMatch(/Run.*Never run/);
  await scripted.command('redo');
  expect(await scripted.text('lens.md')).toBe(after);
});

test('shows how long a block runs, and cancels it on the server', async () => {
  const { page } = scripted.editor;
  await scripted.show('cancel.md');
  const lenses = page.locator('.codelens-decoration').first();
  await expect.poll(() => lenses.textContent()).toMatch(/Run.*Never run/);
  await scripted.pressLens('Run', /Cancel.*Running · \d/);
  await scripted.called('wait');
  await scripted.pressLens('Cancel', /Run.*Stopped/);
  await scripted.heard('cancelled');
  expect(scripted.editor.file('cancel.md')).not.toContain('mcp-');
});

test('shows that a block runs while its tool reports one step after the other', async () => {
  const lenses = scripted.editor.page.locator('.codelens-decoration').first();
  scripted.closeGate();
  await scripted.show('progress.md');
  await expect.poll(() => lenses.textContent()).toMatch(/Run.*Never run/);
  const running = scripted.command('errand.runBlock', uriOf('progress.md'));
  await expect.poll(() => lenses.textContent()).toMatch(/Cancel.*Running · .*step \d+/);
  scripted.openGate();
  await running;
});

test('the lenses follow a run also when the person looks elsewhere at its end', async () => {
  const lenses = scripted.editor.page.locator('.codelens-decoration').first();
  scripted.closeGate();
  await scripted.show('left.md');
  await expect.poll(() => lenses.textContent()).toMatch(/Run.*Never run/);
  const running = scripted.command('errand.runBlock', uriOf('left.md'));
  await expect.poll(() => lenses.textContent()).toMatch(/Cancel.*Running/);
  scripted.openGate();
  await running;
  await scripted.command('workbench.view.explorer');
  await expect.poll(() => lenses.textContent()).toMatch(/Run again.*Up to date/);
});

test('runs a note, then only what is new or changed, and nothing that acts a second time', async () => {
  const count = (tool: string) => scripted.journal.filter((line) => line.tool === tool).length;
  const echoed = count('echo');
  await scripted.command('errand.runNote', uriOf('several.md'));
  const first = scripted.editor.file('several.md');
  expect(first.match(/```mcp-(?:result|error)/g)).toHaveLength(3);
  await scripted.command('errand.runStale', uriOf('several.md'));
  expect([count('echo') - echoed, count('write'), count('fail')]).toEqual([1, 1, 2]);
  await scripted.command('errand.runNote', uriOf('several.md'));
  expect([count('echo') - echoed, count('write')]).toEqual([2, 1]);
  await scripted.command('errand.runNoteAgain', uriOf('several.md'));
  expect([count('echo') - echoed, count('write')]).toEqual([3, 2]);
});

test('a lens that was pressed before it is drawn anew calls nothing a second time', async () => {
  const writes = () => scripted.journal.filter(({ tool }) => tool === 'write').length;
  const before = writes();
  await scripted.editor.inHost(
    async (vscode, file) => {
      await vscode.workspace.openTextDocument(file);
      const lenses = await vscode.commands.executeCommand<import('vscode').CodeLens[]>(
        'vscode.executeCodeLensProvider',
        vscode.Uri.file(file),
        2,
      );
      const { command, arguments: args = [] } = lenses[0]?.command ?? { command: '' };
      for (let time = 0; time < 2; time += 1) {
        await vscode.commands.executeCommand(command, ...args);
      }
    },
    join(scripted.editor.folder, 'twice.md'),
  );
  expect(scripted.editor.file('twice.md')).toContain('\nwritten\n');
  expect(writes() - before).toBe(1);
});

test('writes into a note that is not open, which one undo takes back once it is', async () => {
  const before = scripted.editor.file('closed.md');
  await scripted.command('errand.runNote', uriOf('closed.md'));
  expect(scripted.editor.file('closed.md')).toMatch(/hi\n```\n\nAfter\.\n$/);
  const tabs = await scripted.editor.inHost((vscode) =>
    vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label)),
  );
  expect(tabs).not.toContain('closed.md');
  await scripted.show('closed.md');
  await scripted.command('undo');
  expect(await scripted.text('closed.md')).toBe(before);
});

test('leaves unsaved text unsaved, and writes the answer beside it', async () => {
  const before = scripted.editor.file('unsaved.md');
  await type('unsaved.md', 'Typed.');
  await scripted.command('errand.runNote', uriOf('unsaved.md'));
  expect(await scripted.text('unsaved.md')).toMatch(/hi\n```\n\nEnd\.\nTyped\.$/);
  expect(await isDirty('unsaved.md')).toBe(true);
  expect(scripted.editor.file('unsaved.md')).toBe(before);
});

test('saves a note before and after a block that acts, so that no other program calls it again', async () => {
  await type('acting.md', 'Typed.');
  await scripted.command('errand.runNote', uriOf('acting.md'));
  expect(scripted.editor.file('acting.md')).toMatch(/written\n```\n\nEnd\.\nTyped\.$/);
  expect(await isDirty('acting.md')).toBe(false);
});

test('writes into the text that another program wrote while the block ran', async () => {
  await scripted.show('late.md');
  scripted.closeGate();
  const running = scripted.command('errand.runNote', uriOf('late.md'));
  await scripted.called('wait');
  const changed = scripted.editor.file('late.md').replace('Before.', 'Written by another program.');
  scripted.editor.write('late.md', changed);
  await expect.poll(() => scripted.text('late.md')).toBe(changed);
  scripted.openGate();
  await running;
  expect(scripted.editor.file('late.md')).toMatch(
    /^Written by another program\.\n[\s\S]*it is there\n```\n\nAfter\.\n$/,
  );
});

test('keeps the line ends of a note', async () => {
  await scripted.command('errand.runNote', uriOf('crlf.md'));
  const text = scripted.editor.file('crlf.md');
  expect(text).toMatch(/type=text\r\nhi\r\n```\r\n\r\nMore\.\r\n$/);
  expect(text.replaceAll('\r\n', '')).not.toContain('\n');
});

test('shows an answer in two editors of one note, and writes it once', async () => {
  await scripted.show('two.md');
  await scripted.command('workbench.action.splitEditor');
  await scripted.command('errand.runNote', uriOf('two.md'));
  const texts = await scripted.editor.inHost((vscode) =>
    vscode.window.visibleTextEditors.map(({ document }) => document.getText()),
  );
  expect(texts).toHaveLength(2);
  expect(texts[0]).toBe(scripted.editor.file('two.md'));
  expect(texts[0]?.match(/mcp-result/g)).toHaveLength(1);
  await scripted.command('undo');
  expect(await scripted.text('two.md')).toBe(`${echo}\nEnd.\n`);
  await scripted.command('workbench.action.closeEditorsInGroup');
});

test('leaves an answer that was edited by hand, until the person replaces it', async () => {
  const { page } = scripted.editor;
  await scripted.command('errand.runNote', uriOf('edited.md'));
  const edited = scripted.editor.file('edited.md').replace('\nhi\n```\n', '\nmine\n```\n');
  expect(edited).toContain('mine');
  scripted.editor.write('edited.md', edited);
  await scripted.show('edited.md');
  await expect.poll(() => scripted.text('edited.md')).toBe(edited);
  await scripted.command('errand.runNote', uriOf('edited.md'));
  expect(scripted.editor.file('edited.md')).toBe(edited);
  const lenses = page.locator('.codelens-decoration').first();
  await expect.poll(() => lenses.textContent()).toMatch(/Edited by hand/);
  await scripted.pressLens('Replace the edited result', /Up to date/);
  await expect.poll(() => scripted.editor.file('edited.md')).toContain('\nhi\n```\n');
});

test('writes answers of every type, and large ones into a file', async () => {
  await scripted.command('errand.runNote', uriOf('types.md'));
  const text = scripted.editor.file('types.md');
  expect(text).toMatch(/mcp-result req=\w+ sum=\w+ type=json\n[\s\S]*"sum": 3/);
  expect(text).toMatch(/```mcp-error [^\n]*code=tool_failed[^\n]*\nIt did not work\.\n```/);
  const [, path = ''] = /all of it \(\d+ lines?, 200000 bytes\): (\S+)/.exec(text) ?? [];
  expect(scripted.editor.file(path)).toHaveLength(200_000);
  expect(text.length).toBeLessThan(60_000);
});

test('says what became of a note that was deleted', async () => {
  rmSync(join(scripted.editor.folder, 'gone.md'));
  await scripted.command('errand.runNote', uriOf('gone.md'));
  const toast = scripted.editor.page.locator('.notification-toast', { hasText: 'gone.md' }).first();
  expect(await toast.textContent()).toMatch(/gone\.md cannot be read/);
  writeFileSync(join(scripted.editor.folder, 'gone.md'), '');
});
