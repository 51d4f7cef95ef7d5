import { commands, Uri, window, workspace } from 'vscode';
import type { OpenExtension } from '../open-extension.ts';
import { setUpFolder } from '../settings/set-up-folder.ts';

const name = 'Errand example.md';

/** Adds the commands of the walkthrough: a note with a block that works without any server. */
export function addExample(open: OpenExtension): void {
  const { context, notices } = open;
  const register = (id: string, work: () => Promise<unknown>) =>
    context.subscriptions.push(
      commands.registerCommand(`errand.${id}`, () => work().catch(notices.fail)),
    );
  register('openExample', () => openExample(open));
  register('runExample', async () => {
    const note = await openExample(open);
    if (note !== undefined) await commands.executeCommand('errand.runNote', note.toString());
  });
}

/** Makes the folder a vault where it is none, and opens the example; one that is there is left as it is. */
async function openExample(open: OpenExtension): Promise<Uri | undefined> {
  const { context, notices, vaults } = open;
  const [folder] = workspace.workspaceFolders ?? [];
  if (folder === undefined || !workspace.isTrusted) {
    notices.notify({
      level: 'info',
      message: 'The example needs a trusted folder.',
      detail: 'Open a folder, or choose “Workspaces: Manage Workspace Trust”, and try again.',
    });
    return undefined;
  }
  if ((await vaults.folders()).length === 0) await setUpFolder(open);
  const target = Uri.joinPath(folder.uri, name);
  const isThere = await workspace.fs.stat(target).then(
    () => true,
    () => false,
  );
  if (!isThere) await workspace.fs.copy(Uri.joinPath(context.extensionUri, 'example.md'), target);
  await window.showTextDocument(target);
  return target;
}
