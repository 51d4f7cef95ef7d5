import { scriptedServerConfig } from '@errand/machine/testing';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownerOf, runErrand, startErrandUp } from '../../testing/errand-command.ts';
import { ScriptedEditor } from '../../testing/scripted-editor.ts';

const serverId = '7e0c8a4e-6b53-4f0c-9b7e-2a61f3f2d001';

let scripted: ScriptedEditor;

const call = (toolName: string, mappings: Readonly<Record<string, string>>) => ({
  type: 'mcp',
  parameters: {
    serverId,
    toolName,
    parameterMappings: Object.entries(mappings).map(([toolParam, value]) => ({
      toolParam,
      source: 'template',
      value,
    })),
  },
});

beforeAll(async () => {
  scripted = await ScriptedEditor.open({
    servers: ({ journal }) => [scriptedServerConfig({ journal }, { id: serverId })],
    hooks: ({ gate }) => [
      {
        id: 'greet',
        name: 'Greet <b>all</b>',
        trigger: { kind: 'manual' },
        actions: [call('echo', { text: 'hello' })],
      },
      {
        id: 'nightly',
        name: 'Nightly',
        trigger: { kind: 'schedule', cron: '0 4 * * *' },
        actions: [call('wait', { file: gate })],
      },
      {
        id: 'on-branch',
        name: 'On a branch',
        trigger: { kind: 'manual' },
        conditions: [{ field: 'branch', equals: 'main' }],
        actions: [call('echo', { text: '{{ brunch }}' })],
      },
    ],
  });
  await scripted.showViews();
}, 240_000);

afterAll(() => scripted[Symbol.asyncDispose]());

const row = (name: string): Locator =>
  scripted.editor.page.locator('.pane-body .monaco-list-row', { hasText: name }).first();

/** Presses a button of a row until the row says what is expected: a click that meets a row while it is drawn anew is lost. */
const press = async (name: string, label: string, expected: RegExp) => {
  const button = row(name).getByRole('button', { name: label }).first();
  const isDone = async () => expected.test((await row(name).textContent()) ?? '');
  await expect
    .poll(
      async () => {
        if (await isDone()) return true;
        await row(name).hover();
        await button.click({ timeout: 1_000 }).catch(() => {});
        return isDone();
      },
      { timeout: 30_000, interval: 500 },
    )
    .toBe(true);
};

/** The calls of a tool so far. */
const calls = (tool: string) =>
  scripted.journal.filter((line) => line.kind === 'call' && line.tool === tool).length;

const shownText = () =>
  scripted.editor.inHost((vscode) => vscode.window.activeTextEditor?.document.getText() ?? '');

test('shows hooks with their trigger and next time, and names as plain text', async () => {
  await expect.poll(() => row('Nightly').textContent()).toMatch(/Never ran · every day at 04:00/);
  await expect.poll(() => row('Nightly').textContent()).toMatch(/next .*\d/);
  await expect.poll(() => row('Greet <b>all</b>').textContent()).toMatch(/Never ran · when asked/);
});

test('runs a hook by its button, and shows how it ended', async () => {
  await press('Greet', 'Run Hook', /Succeeded|Running/);
  await scripted.called('echo');
  await expect.poll(() => row('Greet').textContent()).toMatch(/Succeeded.*last just now/);
});

test('shows a run of the command line while it runs, in the editor that owns the vault', async () => {
  expect(await ownerOf(scripted.editor)).toBe('vscode');
  scripted.closeGate();
  const running = runErrand(scripted.editor, 'hooks', 'run', 'Nightly');
  await expect.poll(() => row('Nightly').textContent()).toMatch(/Running/);
  scripted.openGate();
  await running;
  await expect.poll(() => row('Nightly').textContent()).toMatch(/Succeeded/);
});

test('tests a hook without calling anything, and says why it did not run', async () => {
  const before = calls('echo');
  await scripted.command('errand.hook.test', 'On a branch');
  await expect.poll(shownText).toMatch(/fails: branch = main[\s\S]*There is no .*brunch/);
  await expect.poll(shownText).toMatch(/It would not run\./);
  await scripted.command('errand.hook.why', 'On a branch');
  await expect.poll(shownText).toMatch(/No event of its kind came/);
  expect(calls('echo')).toBe(before);
});

test('switches a hook, and opens its entry in the file', async () => {
  await press('On a branch', 'Disable Hook', /Off/);
  expect(scripted.editor.file('.errand/hooks.json')).toMatch(/"enabled": false/);
  await press('On a branch', 'Enable Hook', /Needs attention/);
  await scripted.command('errand.hook.openFile', 'On a branch');
  const selected = () =>
    scripted.editor.inHost((vscode) => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document.lineAt(editor.selection.active.line).text;
    });
  await expect.poll(selected).toMatch(/"id": "on-branch"/);
});

test('attached to an owner of the command line, it shows and runs the hooks of that program', async () => {
  const before = calls('echo');
  {
    using _up = startErrandUp(scripted.editor);
    await expect
      .poll(() => ownerOf(scripted.editor), { timeout: 40_000, interval: 500 })
      .toBe('up');
    await scripted.command('errand.hook.run', 'Greet <b>all</b>');
    expect(calls('echo')).toBe(before + 1);
    await runErrand(scripted.editor, 'hooks', 'disable', 'Nightly');
    await expect.poll(() => row('Nightly').textContent()).toMatch(/Off/);
  }
  await expect
    .poll(() => ownerOf(scripted.editor), { timeout: 40_000, interval: 500 })
    .toBe('vscode');
  await runErrand(scripted.editor, 'hooks', 'enable', 'Nightly');
  await expect.poll(() => row('Nightly').textContent()).toMatch(/Succeeded/);
}, 120_000);
