import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Elicitor, HostError, type Notifier, type RunNotePorts } from '@errand/host';
import {
  findVaultFolder,
  openNoteFolder,
  openSettingsFile,
  SchemaWorker,
} from '@errand/machine/node';
import { openVaultHost, type VaultHost, type VaultPorts } from '@errand/machine/vault';
import { SharedHost } from '@errand/owner';
import type { CommandContext, CommonOptions } from './command-context.ts';
import { openVaultSecrets } from './open-secrets.ts';
import { isOwnServer, resolveProgram } from './own-programs.ts';
import { version } from './version.ts';

/** A vault with everything a command may need of it. Disposing it ends all that was started. */
export interface OpenVault extends VaultHost, Pick<RunNotePorts, 'notes'> {}

/** Where notices and questions go. */
interface Audience {
  readonly notifier: Notifier;
  readonly elicitor?: Elicitor;
  /** Whether clients of a gateway can be asked as well. */
  readonly canAskCallers?: boolean;
  /** The command that stays and runs the servers for every program on the vault; others use them while they take. */
  readonly owner?: 'up' | 'serve' | 'gateway';
}

/** Wires a host for the vault that a command works in. No server is started before it is used. */
export async function openVault(
  options: CommonOptions,
  { terminal, signal }: CommandContext,
  { notifier, elicitor, canAskCallers, owner }: Audience,
  start: string = terminal.cwd,
): Promise<OpenVault> {
  const folder = await vaultFolder(options, terminal.cwd, start);
  const secrets = await openVaultSecrets(folder);
  const trustAll = options.trust === true || terminal.env.ERRAND_TRUST === '1';
  // Sharing would let the servers of this run into a program that was not told to trust them.
  const isPrivate = trustAll && owner === undefined;
  const opened = await openVaultHost(
    {
      folder,
      version,
      env: terminal.env,
      settings: openSettingsFile(folder),
      settingsName: '.errand/settings.json',
      secrets,
      offersSecret: secrets.offers,
      notifier,
      ...(elicitor && { elicitor }),
      ...(canAskCallers && { canAskCallers }),
      guard: new SchemaWorker(),
      trustAll,
      ...(!isPrivate && { share: shareAs(owner) }),
      isOwnServer,
      resolveProgram,
    },
    signal,
  );
  return { ...opened, notes: openNoteFolder(folder, join(opened.folders.state, 'locks')) };
}

function shareAs(owner: Audience['owner']): NonNullable<VaultPorts['share']> {
  return (sharing, signal) => {
    const owns = owner === undefined ? 'never' : 'first';
    return SharedHost.open({ ...sharing, program: owner ?? 'command', version, owns }, signal);
  };
}

/** The folder that a command works in. */
export async function vaultFolder(
  { vault }: CommonOptions,
  cwd: string,
  start: string,
): Promise<string> {
  if (vault === undefined) return (await findVaultFolder(start)).folder;
  const folder = resolve(cwd, vault);
  if (existsSync(folder)) return folder;
  throw new HostError(
    'settings_invalid',
    `There is no folder ${folder}. Name another with --vault, or make it a vault with: errand init ${vault}`,
  );
}
