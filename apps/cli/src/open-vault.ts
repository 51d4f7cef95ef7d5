import { join, resolve } from 'node:path';
import { createHost, type Host, type Notifier, type RunNotePorts, userFolders } from '@errand/host';
import { LocalConnector } from '@errand/host/mcp';
import {
  currentPlatform,
  defaultEndingTimes,
  endChildrenLeftBehind,
  findVaultFolder,
  openAttachmentFolder,
  openNoteFolder,
  openSettingsFile,
} from '@errand/host/node';
import { MemoryCallLog } from '../../../packages/host/src/testing/memory-call-log.ts';
import type { CommandContext, CommonOptions } from './command-context.ts';
import { withOwnPrograms } from './own-programs.ts';
import { version } from './version.ts';

/** A vault with everything a command may need of it. Disposing it ends all that was started. */
export interface OpenVault extends RunNotePorts, AsyncDisposable {
  readonly folder: string;
  readonly host: Host;
}

/** Wires a host for the vault that a command works in. No server is started before it is used. */
export async function openVault(
  { vault }: CommonOptions,
  { terminal, signal, notifier }: CommandContext & { readonly notifier: Notifier },
  start: string = terminal.cwd,
): Promise<OpenVault> {
  const folder =
    vault === undefined ? (await findVaultFolder(start)).folder : resolve(terminal.cwd, vault);
  const { state } = userFolders(currentPlatform());
  const childrenFolder = join(state, 'children');
  await endChildrenLeftBehind(childrenFolder, defaultEndingTimes);
  const settings = openSettingsFile(folder);
  const log = new MemoryCallLog();
  const side = { name: 'errand', version, vaultFolder: folder, eras: new Map(), notifier };
  const host = await createHost(
    {
      settings,
      connectors: { local: withOwnPrograms(new LocalConnector({ host: side, childrenFolder })) },
      notifier,
      log,
    },
    signal,
  );
  return {
    folder,
    host,
    log,
    notes: openNoteFolder(folder, join(state, 'locks')),
    attachments: openAttachmentFolder(folder, host.servers.settings.attachmentsFolder),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}
