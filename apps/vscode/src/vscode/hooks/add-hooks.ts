import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HookView } from '@errand/hooks';
import { foreignLines, oneLine } from '@errand/host';
import { describeHook, nameServers } from '@errand/workspace/hooks';
import { commands, Selection, Uri, window, workspace } from 'vscode';
import { hookLine, testText, whyText } from '../../hooks/hook-words.ts';
import type { VaultSession } from '../../vault-session.ts';
import { chooseVault } from '../choose-vault.ts';
import type { OpenExtension } from '../open-extension.ts';
import { addHookEditors } from './hook-editors.ts';
import { addHookTexts } from './hook-texts.ts';
import { addHooksView, type HookNode } from './hooks-view.ts';

/** Where hooks are kept in a vault. */
const hooksFile = '.errand/hooks.json';

/** Shows the hooks, lets a person run, test, switch and remove them, and opens vaults that have some, so that they run. */
export function addHooks(open: OpenExtension): void {
  const { context, notices, vaults } = open;
  addHooksView(open);
  const showText = addHookTexts(open);
  const edit = addHookEditors(open, { remove: removeHook });
  const register = (id: string, work: (node: HookNode) => Promise<unknown>) =>
    context.subscriptions.push(
      commands.registerCommand(
        `errand.hook.${id}`,
        async (given: HookNode | string | undefined) => {
          try {
            const node = typeof given === 'object' ? given : await chooseHook(open, given);
            if (node !== undefined) await work(node);
          } catch (error) {
            notices.fail(error);
          }
        },
      ),
    );
  register('run', async (node) => {
    const { session, view } = node;
    if (!(await ensureAgreed(open, node, 'Agree and Run'))) return;
    const { run } = await session.hooks.ask('run', { hook: view.hook.id });
    const { run: ended } = await session.hooks.ask('wait', { run: run.id });
    const message = ended.message ?? ended.actions.find((action) => action.message)?.message;
    if (ended.status === 'success') return;
    const failed = `The hook "${oneLine(view.hook.name)}" ended with: ${ended.status}.`;
    notices.notify({
      level: 'warning',
      message: message === undefined ? failed : `${failed} ${oneLine(message, 500)}`,
    });
  });
  register('test', async ({ session, view: { hook } }) => {
    const test = await session.hooks.ask('test', { hook: hook.id });
    await showText(`Test of ${hook.name}`, testText(test));
  });
  register('why', async ({ session, view: { hook } }) => {
    const reasons = await session.hooks.ask('why', { hook: hook.id });
    await showText(`Why ${hook.name} did not run`, whyText(reasons));
  });
  const setEnabled = ({ session, view }: HookNode, enabled: boolean) =>
    session.hooks.ask('set-enabled', { hook: view.hook.id, enabled });
  register('enable', async (node) => {
    if (await ensureAgreed(open, node, 'Agree and Enable')) await setEnabled(node, true);
  });
  register('disable', (node) => setEnabled(node, false));
  register('agree', (node) => ensureAgreed(open, node, 'Agree'));
  register('remove', ({ session, view: { hook } }) => removeHook(session, hook));
  register('edit', async ({ session, view: { hook } }) => edit(session, hook));
  const writeNew = async () => {
    const session = await chooseVault(open);
    if (session !== undefined) edit(session, undefined);
  };
  context.subscriptions.push(
    commands.registerCommand('errand.hook.new', () => writeNew().catch(notices.fail)),
  );
  register('openFile', openHooksFile);
  const openWithHooks = () => {
    const folders = workspace.workspaceFolders ?? [];
    // A vault in which a folder lies is found when a note of it is opened.
    const hasHooks = folders.some(({ uri }) => existsSync(join(uri.fsPath, hooksFile)));
    if (hasHooks) void vaults.openAll().catch(notices.fail);
  };
  context.subscriptions.push(workspace.onDidGrantWorkspaceTrust(openWithHooks));
  openWithHooks();
}

/** Asks whether a hook may be removed, and removes it; resolves with whether it was. */
async function removeHook(
  { hooks }: VaultSession,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<boolean> {
  const detail = `Its entry is removed from ${hooksFile}. The log keeps its runs.`;
  const question = `Remove the hook "${oneLine(name)}"?`;
  const answer = await window.showWarningMessage(question, { modal: true, detail }, 'Remove');
  if (answer !== 'Remove') return false;
  await hooks.ask('remove', { hook: id });
  return true;
}

/** The hook that a key binding names, or that a person chooses. */
async function chooseHook(
  open: OpenExtension,
  named: string | undefined,
): Promise<HookNode | undefined> {
  const session = await chooseVault(open);
  if (session === undefined) return undefined;
  const { hooks } = await session.hooks.list();
  const found = hooks.find(({ hook }) => hook.name === named);
  if (found !== undefined) return { kind: 'hook', session, view: found };
  const now = Date.now();
  const items = hooks.map((view) => ({
    label: oneLine(view.hook.name),
    description: oneLine(hookLine(view, now), 300),
    view,
  }));
  const chosen = await window.showQuickPick(items, { placeHolder: 'Choose a hook' });
  return chosen && { kind: 'hook', session, view: chosen.view };
}

/** Shows what a hook would do, unless somebody agreed to it before; resolves with whether it may run. */
async function ensureAgreed(
  { questions }: OpenExtension,
  { session, view }: HookNode,
  agree: string,
): Promise<boolean> {
  const { hook, seen, verdict } = await currentView(session, view);
  if (verdict === 'trusted') return true;
  const lines = describeHook(nameServers(hook, view.servers)).flatMap((line) => foreignLines(line));
  const detail = [
    verdict === 'changed'
      ? 'It was changed since somebody on this computer agreed to it. It runs by itself, with your rights:'
      : 'Nobody on this computer has agreed to it yet. It runs by itself, with your rights:',
    lines.join('\n'),
  ].join('\n\n');
  const title = `May the hook "${oneLine(hook.name)}" run?`;
  const answer = await questions.ask(async () =>
    window.showWarningMessage(title, { modal: true, detail }, agree),
  );
  if (answer !== agree) return false;
  await session.hooks.ask('agree', { hooks: [{ hook: hook.id, seen }] });
  return true;
}

/** The hook as it is now: a row may be older. */
async function currentView({ hooks }: VaultSession, view: HookView): Promise<HookView> {
  const { hooks: views } = await hooks.list();
  return views.find(({ hook }) => hook.id === view.hook.id) ?? view;
}

/** Opens the file of hooks at the entry of one. */
async function openHooksFile({ session, view }: HookNode): Promise<void> {
  const editor = await window.showTextDocument(Uri.file(join(session.folder, hooksFile)));
  const { document } = editor;
  const at = document.getText().indexOf(JSON.stringify(view.hook.id));
  const place = document.positionAt(Math.max(0, at));
  editor.selection = new Selection(place, place);
  editor.revealRange(editor.selection);
}
