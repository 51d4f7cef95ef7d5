import { scriptedServerConfig } from '@errand/machine/testing';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownerOf, runErrand, startErrandUp } from '../../testing/errand-command.ts';
import { ScriptedEditor } from '../../testing/scripted-editor.ts';

const note = '```scripted\ntool: echo\ntext: hi\n```\n';

let scripted: ScriptedEditor;

beforeAll(async () => {
  scripted = await ScriptedEditor.open({
    servers: ({ journal }) => [
      scriptedServerConfig({ journal }),
      scriptedServerConfig({ onStart: 'exit' }, { name: 'broken' }),
    ],
    notes: () => ({ 'note.md': note }),
  });
  await scripted.showViews();
}, 240_000);

afterAll(() => scripted[Symbol.asyncDispose]());

const row = (...words: readonly string[]): Locator =>
  words.reduce(
    (rows, hasText) => rows.filter({ hasText }),
    scripted.editor.page.locator('.pane-body .monaco-list-row'),
  );

test('shows the servers of the vault, with their state and their tools', async () => {
  await expect.poll(() => row('scripted').first().textContent()).toMatch(/Connected, \d+ tools/);
  await row('scripted').first().click();
  await row('echo', 'Gives the text back').first().waitFor();
  await row('scripted').first().click();
});

test('tells attempts and the next try of a server that does not start', async () => {
  await expect
    .poll(() => row('broken').first().textContent())
    .toMatch(/Retrying: attempt \d of 3, next try in \d+ s/);
});

test('brings a server back that was killed', async () => {
  const started = () => scripted.journal.filter(({ kind }) => kind === 'started');
  process.kill(started().at(-1)?.pid ?? 0, 'SIGKILL');
  await expect.poll(started, { timeout: 40_000 }).toHaveLength(2);
  await expect.poll(() => row('scripted').first().textContent()).toMatch(/Connected/);
});

test('the command line attaches to the editor, and its calls are shown while they run', async () => {
  expect(await ownerOf(scripted.editor)).toBe('vscode');
  scripted.closeGate();
  const calling = runErrand(scripted.editor, 'call', 'scripted', 'wait', `file=${scripted.gate}`);
  await row('scripted · wait', 'Running').first().waitFor();
  scripted.openGate();
  expect(await calling).toContain('it is there');
  await row('scripted · wait', 'Worked').first().waitFor();
  expect(scripted.journal.filter(({ kind }) => kind === 'started')).toHaveLength(2);
});

// Its tries take twenty seconds, in which the tests above have run.
test('gives up a server that does not start, until a person enables it', async () => {
  await expect
    .poll(() => row('broken').first().textContent(), { timeout: 50_000 })
    .toMatch(/Disabled after failures/);
  const status = scripted.editor.page.locator('.statusbar', { hasText: '1 server in trouble' });
  await status.waitFor();
  await row('broken').first().hover();
  await row('broken').first().getByRole('button', { name: 'Enable' }).click();
  await expect
    .poll(() => row('broken').first().textContent())
    .toMatch(/Connecting|Retrying|Reconnecting|Not connected|Error/);
});

test('hands the vault over to a program that owns first, and takes it back when that ends', async () => {
  const becomes = (program: string) =>
    expect.poll(() => ownerOf(scripted.editor), { timeout: 40_000, interval: 500 }).toBe(program);
  {
    using _up = startErrandUp(scripted.editor);
    await becomes('up');
    await expect.poll(() => row('scripted').first().textContent()).toMatch(/Connected/);
    await scripted.command('errand.runNote', `file://${scripted.editor.folder}/note.md`);
    expect(scripted.editor.file('note.md')).toContain('```mcp-result');
  }
  await becomes('vscode');
  await expect.poll(() => row('scripted').first().textContent()).toMatch(/Connected/);
}, 120_000);

test('stops all calls, refuses new ones, and goes on when it is told to', async () => {
  await scripted.command('errand.stop');
  await scripted.editor.page.locator('.statusbar', { hasText: 'Stopped' }).waitFor();
  await scripted.command('errand.runNote', `file://${scripted.editor.folder}/note.md`);
  const calls = scripted.journal.length;
  await scripted.command('errand.resume');
  await scripted.command('errand.runNote', `file://${scripted.editor.folder}/note.md`);
  expect(scripted.journal.length).toBe(calls + 1);
});
