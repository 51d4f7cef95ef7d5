import { join } from 'node:path';
import { blockOfCall } from '@errand/workspace/activity';
import { commands, Range, TextEditorRevealType, Uri, window } from 'vscode';
import type { OpenExtension } from '../open-extension.ts';
import { addRunsView, type CallNode } from './runs-view.ts';

/** Shows calls, and lets a person cancel them, open their notes, and make them again. */
export function addRuns(open: OpenExtension): void {
  const { context, notices, vaults } = open;
  addRunsView(open);
  const register = (id: string, work: (node: CallNode) => unknown) =>
    context.subscriptions.push(
      commands.registerCommand(`errand.${id}`, async (node: CallNode) => {
        try {
          await work(node);
        } catch (error) {
          notices.fail(error);
        }
      }),
    );
  register('call.cancel', ({ session, call }) => session.activity.cancel(call.id));
  register('call.openNote', openAtBlock);
  register('call.rerun', async (node) => {
    const key = await openAtBlock(node);
    const uri = Uri.file(join(node.session.folder, node.call.note ?? '')).toString();
    if (key !== undefined) await commands.executeCommand('errand.runBlock', uri, key);
  });
  register('stop', () => {
    for (const { vault } of vaults.sessions) vault.host.stop();
  });
  register('resume', () => {
    for (const { vault } of vaults.sessions) vault.host.resume();
  });
  register('resetSession', () => {
    for (const { activity } of vaults.sessions) {
      for (const { id } of activity.sessions.list()) activity.sessions.reset(id);
    }
    const message = 'Every note and conversation counts its calls from zero again.';
    notices.notify({ level: 'info', message });
  });
}

/** Opens the note of a call at its block; returns the key of the block, if it is still there. */
async function openAtBlock({ session, call }: CallNode): Promise<string | undefined> {
  const { note, line, server, tool } = call;
  if (note === null) return undefined;
  const editor = await window.showTextDocument(Uri.file(join(session.folder, note)));
  const blocks = session.blocks.of(note, editor.document.getText());
  const all = blocks.map(({ block }) => block);
  const found = blockOfCall(all, { line: line ?? 1, server, tool });
  const at = Math.max(0, (found?.line ?? line ?? 1) - 1);
  const range = new Range(at, 0, at, 0);
  editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport);
  return blocks.find(({ block }) => block === found)?.key;
}
