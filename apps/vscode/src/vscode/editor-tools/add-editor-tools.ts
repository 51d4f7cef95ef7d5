import { hostname } from 'node:os';
import { faultNotice } from '@errand/host';
import { onAbort } from '@errand/wire';
import {
  CancellationError,
  CancellationTokenSource,
  commands,
  type ExtensionContext,
  env,
  lm,
} from 'vscode';
import { AgreedEditorTools, type KeptAgreement } from '../../editor-tools/agreed-editor-tools.ts';
import { type EditorTools, LentEditor } from '../../editor-tools/lent-editor.ts';
import { chooseVault } from '../choose-vault.ts';
import type { OpenExtension } from '../open-extension.ts';
import { askEditorTools } from '../questions/ask-editor-tools.ts';
import type { ServerNode } from '../servers/server-item.ts';

/** Lends the tools of the editor to every vault, as its server `editor`, once a person allows that. */
export function addEditorTools(open: OpenExtension): void {
  const { context, vaults, notices, questions } = open;
  context.subscriptions.push(
    commands.registerCommand('errand.server.disallowEditorTools', (node?: ServerNode) =>
      disallow(open, node).catch(notices.fail),
    ),
  );
  // Programs made of the editor's sources may leave language models out.
  if (lm?.invokeTool === undefined) return;
  vaults.follow(({ folder, vault }) => {
    const tools = new AgreedEditorTools(editorTools, agreementOf(context, folder), (tool, signal) =>
      questions.ask(() => askEditorTools(folder, tool, signal), signal),
    );
    const lent = new LentEditor(vault.host, tools, (error) =>
      notices.notify(faultNotice('The tools of the editor cannot be used in notes', error)),
    );
    return [() => lent[Symbol.dispose]()];
  });
}

async function disallow(open: OpenExtension, node: ServerNode | undefined): Promise<void> {
  const session = node?.session ?? (await chooseVault(open));
  if (session === undefined) return;
  await agreementOf(open.context, session.folder).takeBack();
  open.notices.notify({
    level: 'info',
    message: 'You are asked before a note of this vault next uses a tool of the editor.',
    detail: session.folder,
  });
}

/** Kept in the state of the extension: what is in the vault or its settings comes from whoever made them. */
function agreementOf({ globalState }: ExtensionContext, folder: string) {
  // One state serves the windows of all machines that an editor is connected to.
  const machine = env.remoteName === undefined ? '' : hostname();
  const key = `errand.editorTools.${JSON.stringify([machine, folder])}`;
  return {
    isGiven: () => globalState.get(key) === true,
    give: async () => globalState.update(key, true),
    takeBack: async () => globalState.update(key, undefined),
  } satisfies KeptAgreement & { takeBack(): Promise<void> };
}

const editorTools: EditorTools = {
  list: () => lm.tools,
  async invoke(tool, input, signal) {
    const source = new CancellationTokenSource();
    // With a dialog open the call does not end, but a late yes finds it cancelled and runs nothing.
    using _listening = onAbort(signal, () => source.cancel());
    try {
      const request = { input, toolInvocationToken: undefined };
      return (await lm.invokeTool(tool, request, source.token)).content;
    } catch (error) {
      if (isCancelled(error)) return undefined;
      throw error;
    }
  },
};

/** Errors of the other side come without their class. */
function isCancelled(error: unknown): boolean {
  return (
    error instanceof CancellationError || (error instanceof Error && error.name === 'Canceled')
  );
}
