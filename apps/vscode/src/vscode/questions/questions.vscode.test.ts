import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelServer } from '@errand/assistant/testing';
import type { ServerConfig } from '@errand/host';
import { scriptedServerConfig } from '@errand/machine/testing';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ScriptedEditor } from '../../testing/scripted-editor.ts';

const elicit = [
  '```scripted',
  'tool: ask',
  'method: elicitation/create',
  'params:',
  '  message: Where to? <b>now</b>',
  '  requestedSchema:',
  '    type: object',
  '    properties: {days: {type: integer, description: How many days}}',
  '    required: [days]',
  '```',
  '',
].join('\n');

/** A server that is switched off, and gets a secret in its environment. */
function withToken(server: ServerConfig): ServerConfig {
  const { command = '', args = [] } = server.localConfig ?? {};
  const env = { TOKEN: ['$', '{secret:token}'].join('') };
  return { ...server, enabled: false, localConfig: { command, args, env } };
}

let scripted: ScriptedEditor;
let model: ModelServer;

beforeAll(async () => {
  model = await ModelServer.open();
  scripted = await ScriptedEditor.open({
    servers: ({ journal }) => [
      scriptedServerConfig({ journal }),
      withToken(scriptedServerConfig({ journal: `${journal}.secret` }, { name: 'secretive' })),
    ],
    settings: { assistants: [model.assistant('anthropic')] },
    notes: () => ({ 'elicit.md': elicit, 'ask.md': '#User : q\n' }),
  });
}, 240_000);

afterAll(async () => {
  await scripted[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const quickInput = (): Locator => scripted.editor.page.locator('.quick-input-widget');
/** Writes into the line that is shown, whatever has the focus. */
const answer = async (text: string) => {
  const input = quickInput().locator('input').first();
  await input.fill(text);
  await input.press('Enter');
};
const choose = (label: string) =>
  quickInput().locator('.monaco-list-row', { hasText: label }).first().click();

test('asks a person what a server wants to know, and checks the answer', async () => {
  const running = scripted.command('errand.runNote', `file://${scripted.editor.folder}/elicit.md`);
  await expect.poll(() => quickInput().textContent()).toContain('Server "scripted" asks');
  const input = quickInput().locator('input').first();
  expect(await input.getAttribute('placeholder')).toContain('Where to? <b>now</b>');
  await choose('Answer');
  await expect.poll(() => quickInput().textContent()).toContain('How many days');
  await answer('many');
  await expect.poll(() => quickInput().textContent()).toContain('expected an integer');
  await answer('3');
  await running;
  expect(scripted.editor.file('elicit.md')).toMatch(/"action":\s*"accept"[\s\S]*"days":\s*3/);
});

test('keeps a secret in the storage of the editor alone, and gives it to the server that names it', async () => {
  const { page, folder, server } = scripted.editor;
  const setting = async (value: string) => {
    const running = scripted.command('errand.setSecret');
    await expect.poll(() => quickInput().textContent()).toContain('The name by which');
    await answer('token');
    await expect.poll(() => quickInput().textContent()).toContain('secret storage of the editor');
    await answer(value);
    await running;
  };
  await setting('sk-very-secret');
  await scripted.showViews();
  const row = page.locator('.pane-body .monaco-list-row', { hasText: 'secretive' }).first();
  await row.hover();
  await row.getByRole('button', { name: 'Enable' }).click();
  await expect.poll(() => row.textContent()).toMatch(/Connected/);
  const started = readFileSync(`${folder}.journal.secret`, 'utf8').trim().split('\n').at(-1) ?? '';
  const { pid } = JSON.parse(started) as { pid: number };
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toContain('TOKEN=sk-very-secret');
  const found = (): string => {
    try {
      return execFileSync('grep', ['-rl', 'sk-very-secret', server.home], { encoding: 'utf8' });
    } catch {
      return '';
    }
  };
  expect(found()).toBe('');
});

test('an assistant answers in the note, after the person agreed to it and to its calls', async () => {
  const { page, folder } = scripted.editor;
  const write = { name: 'scripted__write', arguments: {} };
  model.next({ calls: [write] }, { calls: [write] }, { text: ['Done.'] });
  const key = scripted.command('errand.setSecret');
  await expect.poll(() => quickInput().textContent()).toContain('The name by which');
  await answer('key');
  await expect.poll(() => quickInput().textContent()).toContain('secret storage of the editor');
  await answer('sk-model');
  await key;
  await scripted.show('ask.md');
  await scripted.editor.inHost((vscode) => {
    const editor = vscode.window.activeTextEditor;
    if (editor !== undefined) editor.selection = new vscode.Selection(0, 9, 0, 9);
  });
  const asking = scripted.command('errand.ask');
  const dialog = page.locator('.monaco-dialog-box');
  await expect.poll(() => dialog.textContent()).toMatch(/Use assistant "Claude"\?/);
  await dialog.getByRole('button', { name: 'Agree and Ask' }).click();
  await expect.poll(() => quickInput().textContent()).toContain('Let Claude call scripted write?');
  await choose('Allow once');
  await scripted.called('write');
  // The second question has the same words as the first, and comes after the answer of its call.
  await expect.poll(() => page.locator('.view-lines').first().textContent()).toContain('written');
  await expect.poll(() => quickInput().isVisible()).toBe(true);
  await expect.poll(() => quickInput().textContent()).toContain('Let Claude call scripted write?');
  await page.keyboard.press('Escape');
  await asking;
  expect(scripted.journal.filter(({ tool }) => tool === 'write')).toHaveLength(1);
  const text = readFileSync(join(folder, 'ask.md'), 'utf8');
  expect(text).toMatch(/^#User : q\n[\s\S]*code=approval_denied[\s\S]*Done\./);
});
