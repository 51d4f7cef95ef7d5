import { FilesError, type FolderOptions, type OpenFolder, openFolder as open } from '@errand/files';
import { VaultError, type VaultErrorCode } from '../vault-error.ts';
import { refuseTooDeep, refuseUnportable } from './note-path.ts';
import type { Vault } from './vault.ts';

/** Opens a folder of the vault. Links that stay in the vault and lead to nothing hidden are followed. */
export function openFolder(
  vault: Vault,
  segments: readonly string[],
  { create = false }: Pick<FolderOptions, 'create'> = {},
): OpenFolder {
  if (create) refuseTooDeep(segments);
  return inVaultTerms(vault, () =>
    open(vault, segments, { create, checkNew: (name) => refuseUnportable([name]) }),
  );
}

/** Converts the error of a failed open to an error of the vault. */
export function inVaultTerms<Result>(vault: Vault, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof FilesError)) throw cause;
    const { code, message, path } = cause;
    const advice =
      path === '' ? ` Bring ${vault.root} back, or start the server on another folder.` : '';
    throw new VaultError(codes[code], `${message}${advice}`, { path }, { cause });
  }
}

const codes: Readonly<Record<FilesError['code'], VaultErrorCode>> = {
  missing: 'not_found',
  not_a_folder: 'not_found',
  not_a_file: 'permission_denied',
  too_large: 'permission_denied',
  outside: 'permission_denied',
  replaced: 'conflict',
  locked: 'conflict',
  held_open: 'conflict',
};
