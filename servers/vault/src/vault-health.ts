import { accessSync, constants } from 'node:fs';
import type { HealthContribution } from '@errand/server-kit';
import type { VaultContext } from './vault-context.ts';

/** The vault's part of `health_check`. A read-only or unwatched vault is reported, but is not an issue. */
export async function vaultHealth(
  { vault, index }: VaultContext,
  signal: AbortSignal,
): Promise<HealthContribution> {
  const { noteCount, state, pending, watching, problems } = await index.ask(
    'status',
    {},
    { signal },
  );
  const isThere = canAccess(vault.root, constants.R_OK);
  return {
    issues: [
      ...(isThere
        ? []
        : [`The vault ${vault.root} cannot be read. Check that the folder is there.`]),
    ],
    details: {
      vault_path: vault.root,
      note_count: noteCount,
      writable: canAccess(vault.root, constants.W_OK),
      index: { state, pending, watching, notes: problems },
    },
  };
}

function canAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
