import { join } from 'node:path';
import {
  describeOrigin,
  findImportable,
  type ImportableServer,
  planImport,
  storeImport,
} from '@errand/workspace/servers';
import { commands, type QuickPickItem, Uri, window } from 'vscode';
import type { VaultSession } from '../../vault-session.ts';
import { chooseVault } from '../choose-vault.ts';
import type { OpenExtension } from '../open-extension.ts';
import { setUpFolder } from './set-up-folder.ts';

/** Adds the commands for the settings of a vault, its secrets, and servers of other programs. */
export function addSettings(open: OpenExtension): void {
  const { context, notices } = open;
  const register = (id: string, work: () => Promise<unknown>) =>
    context.subscriptions.push(
      commands.registerCommand(`errand.${id}`, () => work().catch(notices.fail)),
    );
  const ofVault = (work: (session: VaultSession) => Promise<unknown>) => async () => {
    const session = await chooseVault(open);
    if (session !== undefined) await work(session);
  };
  register('setUpFolder', () => setUpFolder(open));
  register(
    'openSettings',
    ofVault(({ folder, vault }) =>
      Promise.resolve(window.showTextDocument(Uri.file(join(folder, vault.settings.name)))),
    ),
  );
  register('setSecret', ofVault(setSecret));
  register(
    'removeSecret',
    ofVault((session) => removeSecret(open, session)),
  );
  register(
    'importServers',
    ofVault((session) => importServers(open, session)),
  );
}

/** Keeps a secret in the editor's own storage; the settings name it as `${secret:NAME}`. */
async function setSecret({ vault }: VaultSession): Promise<void> {
  const name = await window.showInputBox({
    title: 'Set Secret',
    prompt: 'The name by which the settings refer to it',
    validateInput: (text) => (/^[\w.-]{1,100}$/.test(text) ? undefined : 'Letters, digits, . - _'),
  });
  if (name === undefined) return;
  const value = await window.showInputBox({
    title: `Set Secret ${name}`,
    prompt: 'Kept in the secret storage of the editor, and nowhere else',
    password: true,
  });
  if (value !== undefined && value !== '') await vault.secrets.set(name, value);
}

async function removeSecret({ notices }: OpenExtension, { vault }: VaultSession): Promise<void> {
  const names = await vault.secrets.names();
  if (names.length === 0) {
    return notices.notify({ level: 'info', message: 'No secret is kept in this editor.' });
  }
  const name = await window.showQuickPick([...names], { placeHolder: 'Choose a secret to remove' });
  if (name !== undefined) await vault.secrets.set(name, undefined);
}

/** Shows servers of other programs, this editor among them; those chosen are stored, tested, and enabled when they work. */
async function importServers({ notices }: OpenExtension, session: VaultSession): Promise<void> {
  const { vault } = session;
  const { servers, problems } = await findImportable(vault.discovery, vault);
  for (const message of problems) notices.notify({ level: 'warning', message });
  if (servers.length === 0) {
    return notices.notify({ level: 'info', message: 'No other servers were found.' });
  }
  const chosen = await window.showQuickPick(
    servers.map((server): QuickPickItem & { readonly server: ImportableServer } => ({
      label: server.entry.name,
      description: server.origins.map(describeOrigin).join(', '),
      detail: server.does.join('; '),
      picked: isPreselected(server),
      server,
    })),
    { canPickMany: true, placeHolder: 'Choose servers to add', matchOnDescription: true },
  );
  if (chosen === undefined || chosen.length === 0) return;
  const wanted = chosen.map(({ server }) => server);
  const planned = await planImport(wanted, vault);
  await storeImport(planned, vault);
  for (const { entry } of planned) {
    const stored = vault.host.servers.list().find(({ id }) => id === entry.id);
    const isWanted = wanted.some((each) => each.entry.id === entry.id && each.isEnabledThere);
    if (stored !== undefined && isWanted) await vault.tests.begin(stored, { enables: true });
  }
}

/** A server that only files of the vault list was not chosen by the person. */
function isPreselected({ isEnabledThere, origins }: ImportableServer): boolean {
  return isEnabledThere && !origins.every((origin) => origin.isFromVault === true);
}
