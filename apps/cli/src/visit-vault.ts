import { HostError } from '@errand/host';
import {
  OwnerError,
  type OwnerInfo,
  type OwnerVisit,
  type VisitOptions,
  visitOwner,
} from '@errand/owner';
import { vaultState } from '@errand/services/state';
import type { CommandContext, CommonOptions } from './command-context.ts';
import { vaultFolder } from './open-vault.ts';

/** Asks the program that owns a vault how things are, and first to do something if that is wanted. */
export async function visitVault(
  options: CommonOptions,
  { terminal, signal }: CommandContext,
  wanted: Omit<VisitOptions, 'signal'> = {},
): Promise<{ readonly folder: string; readonly visit: OwnerVisit }> {
  const { cwd, env } = terminal;
  const folder = await vaultFolder(options, cwd, cwd);
  try {
    const { lease } = await vaultState(folder, env);
    return { folder, visit: await visitOwner(lease, { ...wanted, signal }) };
  } catch (error) {
    if (error instanceof OwnerError) {
      throw new HostError('settings_invalid', error.message, {}, { cause: error });
    }
    // An owner of an earlier version does not know services.
    if (wanted.request === undefined || error instanceof HostError || signal.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The program that owns this vault did not do it: ${reason} If it is older than this one, start it again.`;
    throw new HostError('owner_lost', message, {}, { cause: error });
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
