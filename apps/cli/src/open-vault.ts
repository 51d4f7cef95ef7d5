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
import { SharedHost, type SharePorts, type Sharing } from '@errand/owner';
import { type ServicesOptions, servicesWhileOwning } from '@errand/services';
import { chooseSettings } from './choose-settings.ts';
import type { CommandContext, CommonOptions } from './command-context.ts';
import { holdYoungSpace } from './hold-young-space.ts';
import { type DatabaseFlags, jobDatabase, reachDatabase } from './job-database.ts';
import { openVaultSecrets } from './open-secrets.ts';
import { isOwnServer, resolveProgram } from './own-programs.ts';
import { version } from './version.ts';

/** A vault with everything a command may need of it. Disposing it ends all that was started. */
export interface OpenVault extends VaultHost, Pick<RunNotePorts, 'notes'> {
  /** What this program is to the others on the vault; absent when it runs privately. */
  readonly sharing?: Sharing;
}

/** Where notices and questions go. */
interface Audience {
  readonly notifier: Notifier;
  readonly elicitor?: Elicitor;
  /** Whether clients of a gateway can be asked as well. */
  readonly canAskCallers?: boolean;
  /** The command that stays and runs the servers for every program on the vault; others use them while they take. */
  readonly owner?: 'up' | 'serve' | 'gateway';
  /** Hears of the programs that attach to this one and leave. */
  readonly onFace?: SharePorts['onFace'];
  /** Gets the engine of the vault's jobs when this program opens it. */
  readonly onJobs?: ServicesOptions['onJobs'];
}

/** Wires a host for the vault that a command works in. No server is started before it is used. */
export async function openVault(
  options: CommonOptions & DatabaseFlags,
  context: CommandContext,
  { notifier, elicitor, canAskCallers, owner, onFace, onJobs }: Audience,
  start: string = context.terminal.cwd,
): Promise<OpenVault> {
  const { terminal, signal } = context;
  if (owner !== undefined) holdYoungSpace();
  const folder = await vaultFolder(options, terminal.cwd, start);
  const database = jobDatabase(options, folder);
  const settings = openSettingsFile(folder);
  await chooseSettings(settings, options, context, notifier);
  const secrets = await openVaultSecrets(folder);
  const trustAll = options.trust === true || terminal.env.ERRAND_TRUST === '1';
  // Sharing would let the servers of this run into a program that was not told to trust them.
  const isPrivate = trustAll && owner === undefined;
  let sharing: SharedHost | undefined;
  const share: VaultPorts['share'] = async (ports, ending) => {
    const program = owner ?? 'command';
    const owns = owner === undefined ? 'never' : 'first';
    const openSharedJobs: ServicesOptions['openSharedJobs'] =
      database && ((...wanted) => reachDatabase(database, ...wanted));
    const openServices =
      owner && (await servicesWhileOwning(ports, { trustAll, openSharedJobs, onJobs }));
    const sharePorts = {
      ...ports,
      program,
      version,
      owns,
      ...(onFace && { onFace }),
      ...(openServices && { openServices }),
    } as const;
    sharing = await SharedHost.open(sharePorts, ending);
    return sharing;
  };
  const opened = await openVaultHost(
    {
      folder,
      version,
      env: terminal.env,
      settings,
      secrets,
      offersSecret: secrets.offers,
      notifier,
      ...(elicitor && { elicitor }),
      ...(canAskCallers && { canAskCallers }),
      guard: new SchemaWorker(),
      trustAll,
      ...(!isPrivate && { share }),
      isOwnServer,
      resolveProgram,
    },
    signal,
  );
  const notes = openNoteFolder(folder, join(opened.folders.state, 'locks'));
  return { ...opened, notes, ...(sharing && { sharing }) };
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
