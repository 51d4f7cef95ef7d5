import { HostError, userFolders } from '@errand/host';
import { currentPlatform } from '@errand/machine/node';
import {
  leaseFolder,
  OwnerError,
  type OwnerInfo,
  type OwnerVisit,
  visitOwner,
} from '@errand/owner';
import type { CommandContext, CommonOptions } from './command-context.ts';
import { vaultFolder } from './open-vault.ts';

/** Asks the program that owns a vault how things are, and first to stop or resume all calls if that is wanted. */
export async function visitVault(
  options: CommonOptions,
  { terminal, signal }: CommandContext,
  order?: 'stop' | 'resume',
): Promise<{ readonly folder: string; readonly visit: OwnerVisit }> {
  const { cwd, env } = terminal;
  const folder = await vaultFolder(options, cwd, cwd);
  try {
    const lease = await leaseFolder(folder, userFolders(currentPlatform()), env);
    return { folder, visit: await visitOwner(lease, { signal, ...(order && { order }) }) };
  } catch (error) {
    if (!(error instanceof OwnerError)) throw error;
    throw new HostError('settings_invalid', error.message, {}, { cause: error });
  }
}

/** `serve 0.1.0 (process 4711)` */
export function describeProgram(program: Pick<OwnerInfo, 'program' | 'version' | 'pid'>): string {
  return `${program.program} ${program.version} (process ${program.pid})`;
}

/** What to say of an owner that cannot be asked. */
export function describeUnheard({ status, owner }: UnheardOwner): string {
  const who = `This vault is owned by ${describeProgram(owner)}`;
  return status === 'silent'
    ? `${who}, which does not answer. Try again, and end that process if it hangs.`
    : `${who}, which this version does not understand. Update the older one and start both again.`;
}

export type UnheardOwner = Extract<OwnerVisit, { status: 'silent' | 'other-version' }>;
