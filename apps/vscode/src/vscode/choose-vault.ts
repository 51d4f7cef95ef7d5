import { window } from 'vscode';
import type { VaultSession } from '../vault-session.ts';
import type { OpenExtension } from './open-extension.ts';

/** The vault of the editor, or the one that a person chooses. */
export async function chooseVault({
  vaults,
  notices,
}: OpenExtension): Promise<VaultSession | undefined> {
  const sessions = await vaults.openAll();
  if (sessions.length === 0) {
    notices.notify({
      level: 'info',
      message: 'No trusted folder of this window is a vault.',
      detail: 'Choose “Errand: Set Up This Folder” to make it one.',
    });
  }
  if (sessions.length < 2) return sessions[0];
  const items = sessions.map((session) => ({ label: session.folder, session }));
  return (await window.showQuickPick(items, { placeHolder: 'Choose a vault' }))?.session;
}
