import { statSync } from 'node:fs';
import { type ContainedRoot, openContainedRoot } from '@errand/files';
import { VaultError } from '../vault-error.ts';

/** A folder of notes; nothing outside it is ever read or written. */
export type Vault = ContainedRoot;

/** Finds the vault's folder, or says why it cannot be used. */
export function openVault(path: string): Vault {
  let vault: Vault;
  try {
    vault = openContainedRoot(path);
  } catch (cause) {
    throw new VaultError(
      'not_found',
      `The vault ${path} cannot be opened: ${(cause as Error).message}. Create the folder, or name another with --vault.`,
      undefined,
      { cause },
    );
  }
  if (!statSync(vault.root).isDirectory()) {
    throw new VaultError('invalid_input', `The vault ${path} is a file. Name a folder instead.`);
  }
  return vault;
}
