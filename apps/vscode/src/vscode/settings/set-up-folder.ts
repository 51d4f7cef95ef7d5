import { window, workspace } from 'vscode';
import type { OpenExtension } from '../open-extension.ts';

/** Makes a folder of the editor a vault, with settings of its own; nothing that is there is overwritten. */
export async function setUpFolder({ vaults, notices }: OpenExtension): Promise<void> {
  const folders = workspace.workspaceFolders ?? [];
  const folder = folders.length > 1 ? await window.showWorkspaceFolderPick() : folders[0];
  if (folder === undefined || !workspace.isTrusted) return;
  const { openSettingsFile } = await import('@errand/machine/node');
  const settings = openSettingsFile(folder.uri.fsPath);
  await settings.save((stored) => stored);
  notices.notify({
    level: 'info',
    message: `${folder.name} is a vault now: ${settings.name} holds its settings.`,
    detail: 'Add servers there, or choose “Errand: Import Servers”.',
  });
  vaults.refresh();
}
