import { existsSync, realpathSync, statSync } from 'node:fs';
import { VaultError } from '../vault-error.ts';

/** A folder of notes; nothing outside it is ever read or written. */
export interface Vault {
  /** The folder's real path, with no symbolic link in it. */
  readonly root: string;
  /** Whether paths can start from an open folder, which no link made meanwhile can redirect. */
  readonly holdsFolders: boolean;
}

/** Finds the vault's folder, or says why it cannot be used. */
export function openVault(path: string): Vault {
  let root: string;
  try {
    root = realpathSync.native(path);
  } catch (cause) {
    throw new VaultError(
      'not_found',
      `The vault ${path} cannot be opened: ${(cause as Error).message}. Create the folder, or name another with --vault.`,
      undefined,
      { cause },
    );
  }
  if (!statSync(root).isDirectory()) {
    throw new VaultError('invalid_input', `The vault ${path} is a file. Name a folder instead.`);
  }
  return { root, holdsFolders: existsSync('/proc/self/fd') };
}
