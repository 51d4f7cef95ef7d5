import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedServerConfig } from '@errand/machine/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownerOf, startErrandUp } from '../../testing/errand-command.ts';
import { ScriptedEditor } from '../../testing/scripted-editor.ts';

const serverId = '7e0c8a4e-6b53-4f0c-9b7e-2a61f3f2d004';

let scripted: ScriptedEditor;

const echo = (value: string) => ({
  type: 'mcp',
  parameters: {
    serverId,
    toolName: 'echo',
    parameterMappings: [{ toolParam: 'text', source: 'template', value }],
  },
});

/** Runs git as a terminal beside the editor does. */
const git = (folder: string, ...args: readonly string[]) =>
  execFileSync('git', args, { cwd: folder, stdio: 'ignore' });

beforeAll(async () => {
  scripted = await ScriptedEditor.open({
    servers: ({ journal }) => [scriptedServerConfig({ journal }, { id: serverId })],
    notes({ folder }) {
      git(folder, 'init', '--quiet', '--initial-branch', 'main');
      git(folder, 'config', 'user.name', 'Ada');
      git(folder, 'config', 'user.email', 'ada@example.com');
      return { 'Inbox/a.md': 'a\n', 'Inbox/b.md': 'b\n', 'Inbox/last.md': '0\n' };
    },
    hooks: () => [
      {
        id: 'saved',
        name: 'On save',
        trigger: { kind: 'file', events: ['changed'], glob: 'Inbox/*.md' },
        actions: [echo('saved {{ file.name }}')],
        runsPerHour: 1_000,
      },
      {
        id: 'committed',
        name: 'On commit',
        trigger: { kind: 'git', events: ['commit'] },
        actions: [echo('committed {{ git.subject }}')],
      },
    ],
  });
  await scripted.showViews();
  // They are listed once their sources are followed.
  await rowOf('On save').waitFor();
}, 240_000);

afterAll(() => scripted[Symbol.asyncDispose]());

const rowOf = (name: string) =>
  scripted.editor.page.locator('.pane-body .monaco-list-row', { hasText: name }).first();

/** What hooks have said so far. */
const said = () =>
  scripted.journal.flatMap((line) =>
    line.kind === 'call' && line.tool === 'echo' ? [String(line.arguments?.text)] : [],
  );

let writes = 0;

/** What hooks say because of some work: events come in order, so that a later one comes after all of them. */
async function saidBecauseOf(work: () => unknown): Promise<readonly string[]> {
  const before = said().length;
  await work();
  await expect.poll(() => said().length, { timeout: 30_000 }).toBeGreaterThan(before);
  writes += 1;
  writeFileSync(join(scripted.editor.folder, 'Inbox/last.md'), `${writes}\n`);
  await expect.poll(() => said().slice(before), { timeout: 30_000 }).toContain('saved last.md');
  return said()
    .slice(before)
    .filter((text) => text !== 'saved last.md');
}

/** Types into a file in the editor and saves it. */
const saveInEditor = (name: string) =>
  scripted.editor.inHost(
    async (vscode, file) => {
      const document = await vscode.workspace.openTextDocument(file);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), 'x');
      await vscode.workspace.applyEdit(edit);
      await document.save();
    },
    join(scripted.editor.folder, 'Inbox', name),
  );

const writeOnDisk = (name: string, text: string) =>
  writeFileSync(join(scripted.editor.folder, 'Inbox', name), text);

test('a save in the editor is one event', async () => {
  expect(await ownerOf(scripted.editor)).toBe('vscode');
  expect(await saidBecauseOf(() => saveInEditor('a.md'))).toEqual(['saved a.md']);
});

test('a write of an agent is one event, also of a file that is open in the editor', async () => {
  expect(await saidBecauseOf(() => writeOnDisk('b.md', 'by an agent\n'))).toEqual(['saved b.md']);
  await scripted.show('Inbox/b.md');
  const events = await saidBecauseOf(async () => {
    writeOnDisk('b.md', 'by an agent again\n');
    await expect.poll(() => scripted.text('Inbox/b.md')).toBe('by an agent again\n');
  });
  expect(events).toEqual(['saved b.md']);
});

test('a save in the editor and a write of an agent at the same time are one event each', async () => {
  const events = await saidBecauseOf(async () => {
    const saving = saveInEditor('a.md');
    writeOnDisk('b.md', 'at the same time\n');
    await saving;
    await expect.poll(() => said().filter((text) => text === 'saved a.md').length).toBe(2);
  });
  expect(events.toSorted()).toEqual(['saved a.md', 'saved b.md']);
});

test('a commit in a terminal is one event, and so is one in the editor', async () => {
  const { folder } = scripted.editor;
  const first = await saidBecauseOf(() => {
    git(folder, 'add', 'Inbox/a.md');
    git(folder, 'commit', '--quiet', '--message', 'by hand');
  });
  expect(first).toEqual(['committed by hand']);
  const second = await saidBecauseOf(() =>
    scripted.editor.inHost(async (vscode, file) => {
      interface GitApi {
        openRepository(root: unknown): Promise<{
          add(paths: readonly string[]): Promise<void>;
          commit(message: string): Promise<void>;
        } | null>;
      }
      const extension = vscode.extensions.getExtension('vscode.git');
      const git = (await extension?.activate()) as { getAPI(version: 1): GitApi };
      const repository = await git.getAPI(1).openRepository(vscode.Uri.file(file));
      await repository?.add([`${file}/Inbox/b.md`]);
      await repository?.commit('by the editor');
    }, folder),
  );
  expect(second).toEqual(['committed by the editor']);
});

test('attached to an owner, the owner counts: a save in the editor is still one event', async () => {
  {
    using _up = startErrandUp(scripted.editor);
    await expect
      .poll(() => ownerOf(scripted.editor), { timeout: 40_000, interval: 500 })
      .toBe('up');
    await rowOf('On save').waitFor();
    // The new owner follows the files once it lists its hooks.
    await scripted.command('errand.hook.why', 'On save');
    expect(await saidBecauseOf(() => saveInEditor('a.md'))).toEqual(['saved a.md']);
  }
  await expect
    .poll(() => ownerOf(scripted.editor), { timeout: 40_000, interval: 500 })
    .toBe('vscode');
  await scripted.command('errand.hook.why', 'On save');
  expect(await saidBecauseOf(() => saveInEditor('a.md'))).toEqual(['saved a.md']);
}, 120_000);
